//! A map in numbers and keywords.

use std::collections::BTreeSet;

use serde::Serialize;
use ttr_engine::spec::{CardGameSpec, LocomotiveUse, MapSpec, RouteColour, RouteSpec, SeatRange};

use ttr_show::text::{Align, Table, count};

/// A map in numbers.
///
/// ```
/// let europe = ttr_cli::words::map_summary::MapSummary::new(&ttr_engine::maps::load("europe")?);
/// assert_eq!((europe.cities, europe.tracks, europe.tickets), (47, 101, 46));
/// assert_eq!(europe.routes + europe.double_routes, europe.tracks);
/// assert!(europe.highlights.contains(&"3 stations".to_owned()));
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MapSummary {
    /// Id on the command line.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Caveat about the data, if any.
    pub note: Option<String>,
    /// Fewest and most seats.
    pub seats: SeatRange,
    /// Number of cities.
    pub cities: usize,
    /// Number of routes: pairs of cities that are joined by track.
    pub routes: usize,
    /// Number of routes with two tracks.
    pub double_routes: usize,
    /// Tracks: single routes, and both tracks of double ones.
    pub tracks: usize,
    /// Tracks that are tunnels.
    pub tunnels: usize,
    /// Tracks that are ferries.
    pub ferries: usize,
    /// Spaces of all tracks together.
    pub spaces: usize,
    /// Trains of a seat.
    pub trains: u8,
    /// Number of tickets.
    pub tickets: usize,
    /// Number of tickets that are guessed rather than documented.
    pub reconstructed_tickets: usize,
    /// Features that distinguish its rules.
    pub highlights: Vec<String>,
    /// Hash of everything that affects a game, in hexadecimal.
    pub hash: String,
}

impl MapSummary {
    /// The summary of a map.
    pub fn new(map: &MapSpec) -> Self {
        let pair = |route: &RouteSpec| {
            let mut ends = [route.from.clone(), route.to.clone()];
            ends.sort();
            ends
        };
        let routes = map.routes.iter().map(pair).collect::<BTreeSet<_>>().len();
        let tracks = map.routes.len();
        Self {
            id: map.id.clone(),
            name: map.name.clone(),
            note: map.note.clone(),
            seats: map.seats,
            cities: map.cities.len(),
            routes,
            double_routes: tracks - routes,
            tracks,
            tunnels: map.routes.iter().filter(|route| route.tunnel).count(),
            ferries: map.routes.iter().filter(|route| route.ferry > 0).count(),
            spaces: map.routes.iter().map(|route| usize::from(route.length)).sum(),
            trains: map.rules.trains,
            tickets: map.tickets.len(),
            reconstructed_tickets: map.tickets.iter().filter(|ticket| ticket.reconstructed).count(),
            highlights: highlights(map),
            hash: format!("{:016x}", map.hash()),
        }
    }

    /// The summary of the Card Game, which has no board.
    pub fn of_card_game(game: &CardGameSpec) -> Self {
        let cities: BTreeSet<_> = game.tickets.iter().flat_map(|ticket| [&ticket.from, &ticket.to]).collect();
        Self {
            id: game.id.clone(),
            name: game.name.clone(),
            note: game.note.clone(),
            seats: game.seats,
            cities: cities.len(),
            routes: 0,
            double_routes: 0,
            tracks: 0,
            tunnels: 0,
            ferries: 0,
            spaces: 0,
            trains: 0,
            tickets: game.tickets.len(),
            reconstructed_tickets: 0,
            highlights: vec![
                "no board".to_owned(),
                "yards and track stacks".to_owned(),
                "train robbing".to_owned(),
                format!("two rounds from {} seats", game.rules.two_rounds_from),
                format!("{} city bonuses", game.big_cities.len()),
            ],
            hash: format!("{:016x}", game.hash()),
        }
    }

    /// `2-5`, or `2` for a fixed number of seats.
    pub fn seat_range(&self) -> String {
        match self.seats {
            SeatRange { min, max } if min == max => min.to_string(),
            SeatRange { min, max } => format!("{min}-{max}"),
        }
    }

    /// The numbers in one line.
    pub fn line(&self) -> String {
        let mut line = format!(
            "{} seats, {}, {} ({} double), {}, {}",
            self.seat_range(),
            count(self.cities, "city", "cities"),
            count(self.routes, "route", "routes"),
            self.double_routes,
            count(self.tracks, "track", "tracks"),
            count(self.tickets, "ticket", "tickets"),
        );
        if self.reconstructed_tickets > 0 {
            line.push_str(&format!(" ({} reconstructed)", self.reconstructed_tickets));
        }
        line
    }
}

/// Features that distinguish the rules of a map.
pub fn highlights(map: &MapSpec) -> Vec<String> {
    let rules = &map.rules;
    let mut all = Vec::new();
    if let Some(journey) = &rules.journey {
        all.push(format!("race to {}", count(journey.tickets_to_win.into(), "ticket", "tickets")));
        if journey.bonus_between.is_some() {
            all.push("bonus ticket from side to side".to_owned());
        }
    }
    if rules.draw.market == 0 {
        all.push("blind draws".to_owned());
    }
    let piles: BTreeSet<_> = map.tickets.iter().map(|ticket| ticket.deck.as_str()).collect();
    all.extend(piles.into_iter().filter(|pile| *pile != "regular").map(|pile| format!("{pile} tickets")));
    let tunnels = map.routes.iter().filter(|route| route.tunnel).count();
    if tunnels > 0 {
        all.push(count(tunnels, "tunnel", "tunnels"));
    }
    let ferries = map.routes.iter().filter(|route| route.ferry > 0).count();
    if ferries > 0 {
        all.push(count(ferries, "ferry", "ferries"));
    }
    if rules.claim.locomotives == LocomotiveUse::TunnelsAndFerries {
        all.push("locomotives only there".to_owned());
    }
    if let Some(sets) = rules.ferry_sets.as_ref().filter(|_| ferries > 0) {
        all.push(format!("{} for 1 on ferries", sets.cards));
    }
    for route in &map.routes {
        if let Some(cards) = route.any_cards_per_space {
            all.push(format!("{cards} for 1 on {}-{}", route.from, route.to));
        }
    }
    if let Some(stations) = &rules.stations {
        all.push(count(stations.per_seat.into(), "station", "stations"));
    }
    if rules.depots.is_some() {
        all.push("warehouses and depots".to_owned());
    }
    if rules.bonus.longest_path > 0 {
        all.push(format!("longest path +{}", rules.bonus.longest_path));
    }
    if rules.bonus.most_tickets > 0 {
        all.push(format!("Globetrotter +{}", rules.bonus.most_tickets));
    }
    if rules.journey.is_none() && rules.bonus.longest_path == 0 && rules.bonus.most_tickets == 0 {
        all.push("no bonus".to_owned());
    }
    all
}

/// Number of tracks by colour and length.
///
/// ```
/// let table = ttr_cli::words::map_summary::track_table(&ttr_engine::maps::load("usa")?).to_string();
/// assert!(table.lines().last().unwrap().starts_with("all"));
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
pub fn track_table(map: &MapSpec) -> Table {
    let lengths: BTreeSet<u8> = map.routes.iter().map(|route| route.length).collect();
    let colours: BTreeSet<RouteColour> = map.routes.iter().map(|route| route.colour).collect();
    let headings = ["length".to_owned()]
        .into_iter()
        .chain(lengths.iter().map(u8::to_string))
        .chain(["tracks".to_owned(), "spaces".to_owned()]);
    let aligns = std::iter::once(Align::Left).chain(std::iter::repeat(Align::Right));
    let mut table = Table::new(headings.zip(aligns));
    let mut row = |name: &str, counted: &dyn Fn(&RouteSpec) -> bool| {
        let tracks: Vec<_> = map.routes.iter().filter(|route| counted(route)).collect();
        let by_length =
            lengths.iter().map(|length| tracks.iter().filter(|track| track.length == *length).count());
        let spaces: usize = tracks.iter().map(|track| usize::from(track.length)).sum();
        let numbers = by_length.map(|n| if n == 0 { ".".to_owned() } else { n.to_string() });
        let sums = [tracks.len().to_string(), spaces.to_string()];
        table.row([name.to_owned()].into_iter().chain(numbers).chain(sums));
    };
    for colour in colours {
        row(colour.name(), &|route| route.colour == colour);
    }
    for (name, has) in
        [("tunnels", (|route| route.tunnel) as fn(&RouteSpec) -> bool), ("ferries", |route| route.ferry > 0)]
    {
        if map.routes.iter().any(has) {
            row(name, &has);
        }
    }
    row("all", &|_| true);
    table
}

/// The routes, one row per track.
///
/// ```
/// let table = ttr_cli::words::map_summary::route_table(&ttr_engine::maps::load("europe")?).to_string();
/// let row = |text: &str| table.lines().find(|line| line.contains(text)).unwrap().split_whitespace().collect::<Vec<_>>();
/// assert_eq!(row("Stockholm  ").join(" "), "Kobenhavn Stockholm 3 white double");
/// assert_eq!(row("Palermo  ").join(" "), "Brindisi Palermo 3 grey ferry, 1 locomotive");
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
pub fn route_table(map: &MapSpec) -> Table {
    use Align::{Left, Right};
    let mut table =
        Table::new([("from", Left), ("to", Left), ("length", Right), ("colour", Left), ("kind", Left)]);
    for route in &map.routes {
        let mut kind = Vec::new();
        if route.tunnel {
            kind.push("tunnel".to_owned());
        }
        if route.ferry > 0 {
            kind.push(format!("ferry, {}", count(route.ferry.into(), "locomotive", "locomotives")));
        }
        if let Some(cards) = route.any_cards_per_space {
            kind.push(format!("{cards} cards of any kind for 1"));
        }
        if route.double.is_some() {
            kind.push("double".to_owned());
        }
        table.row([
            route.from.clone(),
            route.to.clone(),
            route.length.to_string(),
            route.colour.name().to_owned(),
            kind.join(", "),
        ]);
    }
    table
}

/// The tickets; those guessed rather than documented are marked.
///
/// ```
/// let table = ttr_cli::words::map_summary::ticket_table(&ttr_engine::maps::load("first-journey-europe")?).to_string();
/// assert_eq!(table.matches("reconstructed").count(), 30);
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
pub fn ticket_table(map: &MapSpec) -> Table {
    let has = |has: fn(&ttr_engine::spec::TicketSpec) -> bool| map.tickets.iter().any(has);
    let points = has(|ticket| ticket.points > 0);
    let decks = has(|ticket| ticket.deck != "regular");
    let tags = has(|ticket| !ticket.tags.is_empty());
    let reconstructed = has(|ticket| ticket.reconstructed);
    let columns = [
        (true, "from", Align::Left),
        (true, "to", Align::Left),
        (points, "points", Align::Right),
        (decks, "deck", Align::Left),
        (tags, "tags", Align::Left),
        (reconstructed, "source", Align::Left),
    ];
    let mut table =
        Table::new(columns.iter().filter(|column| column.0).map(|&(_, name, align)| (name, align)));
    for ticket in &map.tickets {
        let source = if ticket.reconstructed { "reconstructed" } else { "documented" };
        let cells = [
            ticket.from.clone(),
            ticket.to.clone(),
            ticket.points.to_string(),
            ticket.deck.clone(),
            ticket.tags.join(" "),
            source.to_owned(),
        ];
        table.row(cells.into_iter().zip(&columns).filter(|(_, column)| column.0).map(|(cell, _)| cell));
    }
    table
}
