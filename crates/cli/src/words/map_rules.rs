//! The rules of a map file in words.

use ttr_engine::CardKind;
use ttr_engine::spec::{
    DealSpec, DepotTiming, EmptyTrigger, FaceUpLocomotive, FerrySets, FirstSeat, JourneyBonusLimit,
    LocomotiveUse, MapSpec, OpeningStep, Reshuffle, TieBreak, Unkept,
};

use ttr_show::text::{count, list};

/// A topic and its rules in words.
pub type Topic = (&'static str, String);

/// The rules of a map, topic by topic.
///
/// ```
/// let rules = ttr_cli::words::map_rules::in_words(&ttr_engine::maps::load("nordic")?);
/// let (_, ferries) = rules.iter().find(|(topic, _)| *topic == "Ferries").unwrap();
/// assert!(ferries.contains("Any 3 cards stand for any space."));
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
pub fn in_words(map: &MapSpec) -> Vec<Topic> {
    let topics = [
        ("Set-up", set_up(map)),
        ("Cards", cards(map)),
        ("Drawing", drawing(map)),
        ("Claiming", claiming(map)),
        ("Doubles", doubles(map)),
        ("Tunnels", tunnels(map)),
        ("Ferries", ferries(map)),
        ("Stations", stations(map)),
        ("Depots", depots(map)),
        ("Tickets", tickets(map)),
        ("End", end(map)),
        ("Bonuses", bonuses(map)),
        ("Ties", ties(map)),
    ];
    topics.into_iter().filter_map(|(topic, text)| Some((topic, text?))).collect()
}

fn set_up(map: &MapSpec) -> Option<String> {
    let rules = &map.rules;
    let mut has = vec![count(rules.trains.into(), "train", "trains")];
    if let Some(stations) = &rules.stations {
        has.push(count(stations.per_seat.into(), "station", "stations"));
    }
    has.push(count(rules.opening_hand.into(), "card", "cards"));
    let first = match rules.first_seat {
        FirstSeat::Random => "A random seat starts.".to_owned(),
        FirstSeat::Seat(number) => format!("Seat {number} starts."),
    };
    Some(format!("Each seat has {}. {first}", list(&has)))
}

fn cards(map: &MapSpec) -> Option<String> {
    let counts = map.rules.deck.counts();
    let total: u32 = counts.iter().map(|&n| u32::from(n)).sum();
    let of = |kind: &CardKind| counts[kind.index()];
    let colours: Vec<_> = CardKind::COLOURS.iter().filter(|kind| of(kind) > 0).collect();
    let equal = colours.first().filter(|first| colours.iter().all(|kind| of(kind) == of(first)));
    let mut parts = match equal {
        Some(first) => {
            let names: Vec<_> = colours.iter().map(|kind| kind.name()).collect();
            vec![format!("{} each of {}", of(first), list(&names))]
        }
        None => colours.iter().map(|kind| format!("{} {}", of(kind), kind.name())).collect(),
    };
    if of(&CardKind::Locomotive) > 0 {
        parts.push(count(of(&CardKind::Locomotive).into(), "locomotive", "locomotives"));
    }
    let reshuffle = match map.rules.draw.reshuffle {
        Reshuffle::Eager => "as soon as the deck is empty",
        Reshuffle::Lazy => "when a card is needed and the deck is empty",
    };
    Some(format!("{total}: {}. The discard becomes the new deck {reshuffle}.", parts.join("; ")))
}

fn drawing(map: &MapSpec) -> Option<String> {
    let draw = &map.rules.draw;
    if draw.market == 0 {
        return Some("Two cards, blind: none lie face up.".to_owned());
    }
    let locomotive = match draw.face_up_locomotive {
        FaceUpLocomotive::EndsDraw => "A face-up locomotive ends the draw and can't be the second card.",
        FaceUpLocomotive::Ordinary => "A face-up locomotive is a card like any other.",
    };
    let flush = match draw.flush_at {
        0 => "The face-up cards are never flushed.".to_owned(),
        n => format!(
            "{} flush the face-up cards, at most {} in a row.",
            count(n.into(), "face-up locomotive", "face-up locomotives"),
            count(draw.max_flushes.into(), "time", "times")
        ),
    };
    Some(format!("Two cards, blind or from {} face up. {locomotive} {flush}", draw.market))
}

fn claiming(map: &MapSpec) -> Option<String> {
    let claim = &map.rules.claim;
    let mut points: Vec<(u8, u8)> =
        claim.points.iter().filter_map(|(length, points)| Some((length.parse().ok()?, *points))).collect();
    points.sort_unstable();
    let points: Vec<_> = points.iter().map(|(length, points)| format!("{length}={points}")).collect();
    let points = match points[..] {
        [] => "Routes bring no points.".to_owned(),
        _ => format!("Points by length: {}.", points.join(", ")),
    };
    let locomotives = match claim.locomotives {
        LocomotiveUse::Anywhere => "Locomotives stand for any colour on every route.",
        LocomotiveUse::TunnelsAndFerries => "Locomotives may be played on tunnels and ferries only.",
    };
    let mut text = format!("{points} {locomotives}");
    for route in &map.routes {
        if let Some(cards) = route.any_cards_per_space {
            let cards = count(cards.into(), "card", "cards");
            text.push_str(&format!(" {}-{}: any {cards} stand for one space.", route.from, route.to));
        }
    }
    Some(text)
}

fn doubles(map: &MapSpec) -> Option<String> {
    map.routes.iter().find(|route| route.double.is_some())?;
    let claim = &map.rules.claim;
    let open = match claim.both_tracks_from {
        from if from <= map.seats.min => "Both tracks are open, to different seats.".to_owned(),
        from if from > map.seats.max => "Once one track is claimed the other is closed.".to_owned(),
        from => format!(
            "Both tracks are open, to different seats, from {from} seats on; with fewer, once one is claimed \
             the other is closed."
        ),
    };
    let twins = match claim.twins_require_equal_length {
        true => " Tracks of different lengths are no double route.",
        false => "",
    };
    Some(open + twins)
}

fn tunnels(map: &MapSpec) -> Option<String> {
    map.routes.iter().find(|route| route.tunnel)?;
    let reveal = map.rules.tunnels.as_ref()?.reveal;
    Some(format!(
        "{} revealed: each one of the colour played and each locomotive costs one more card, or the claim is abandoned.",
        if reveal == 1 { "1 card is".to_owned() } else { format!("{reveal} cards are") }
    ))
}

fn ferries(map: &MapSpec) -> Option<String> {
    map.routes.iter().find(|route| route.ferry > 0)?;
    let sets = match &map.rules.ferry_sets {
        None => String::new(),
        Some(sets) => {
            let spaces = match sets.spaces {
                FerrySets::AnySpace => "any space",
                FerrySets::LocomotiveSpaceOnly => "a space with a locomotive symbol",
            };
            format!(" Any {} cards stand for {spaces}.", sets.cards)
        }
    };
    Some(format!("Each locomotive symbol requires a locomotive.{sets}"))
}

fn stations(map: &MapSpec) -> Option<String> {
    let stations = map.rules.stations.as_ref()?;
    Some(format!(
        "{} per seat; the n-th costs n cards. At the end each counts one route of another seat for its owner's \
         tickets. Each one not built: +{}.",
        stations.per_seat, stations.unbuilt_points
    ))
}

fn depots(map: &MapSpec) -> Option<String> {
    let depots = map.rules.depots.as_ref()?;
    let timing = match depots.timing {
        DepotTiming::OwnTurn => "on the owner's turn, before or after the action",
        DepotTiming::AnyTime => {
            "on the owner's turn, before or after the action, and at the start of others' turns"
        }
    };
    let empty = match depots.empty_trigger {
        EmptyTrigger::NoDepots => "a seat has no depot in reserve",
        EmptyTrigger::EmptyWarehouse => "a seat has no card in its warehouse",
    };
    let bonus = match depots.bonus {
        0 => String::new(),
        points => format!(" Most depots in reserve: +{points}."),
    };
    Some(format!(
        "{} per seat and a warehouse; one depot is placed at the start, others {timing}. A seat that \
         draws cards first stores one unseen in any warehouse. A seat that claims a route may give a depot \
         of its reserve to take the warehouse of the depot's owner at either end. Once deck and discard are empty and {empty}, the \
         warehouses become the deck.{bonus}",
        depots.per_seat
    ))
}

fn tickets(map: &MapSpec) -> Option<String> {
    let rules = &map.rules.tickets;
    if let Some(journey) = &map.rules.journey {
        let dealt: u32 =
            rules.opening.iter().flat_map(|step| &step.deal).map(|deal| u32::from(deal.count)).sum();
        let mut text = format!(
            "{dealt} each, all kept. A completed one is replaced at once; a turn may swap all held ones."
        );
        if let Some(between) = &journey.bonus_between {
            let often = match journey.bonus_limit {
                JourneyBonusLimit::Once => "once",
                JourneyBonusLimit::Unlimited => "for every pair",
            };
            text.push_str(&format!(
                " Joining one of {} with one of {} counts as a ticket, {often}.",
                list(&between.one),
                list(&between.other)
            ));
        }
        return Some(text);
    }
    let mut text = String::new();
    for (index, step) in rules.opening.iter().enumerate() {
        let then = if index > 0 { "Then " } else { "Opening: " };
        text.push_str(&format!("{then}{} {} ", opening_deal(step), hold(step.hold)));
    }
    text.push_str(&format!("The others go {}. ", place(rules.unkept_opening)));
    if rules.draw == 0 {
        text.push_str("No more are drawn later.");
    } else {
        text.push_str(&format!(
            "Later: draw {}, keep at least {}; the others go {}.",
            rules.draw,
            rules.keep,
            place(rules.unkept)
        ));
    }
    Some(text)
}

fn opening_deal(step: &OpeningStep) -> String {
    let of = |deal: &DealSpec| {
        let most = deal.keep_max.map(|most| format!(" (at most {most} kept)")).unwrap_or_default();
        format!("{} {}{most}", deal.count, deal.deck)
    };
    let dealt: Vec<_> = step.deal.iter().map(of).collect();
    format!("{} dealt,", list(&dealt))
}

fn hold(hold: u8) -> String {
    format!("at least {hold} held.")
}

fn place(unkept: Unkept) -> &'static str {
    match unkept {
        Unkept::Box => "to the box",
        Unkept::Bottom => "under the deck",
    }
}

fn end(map: &MapSpec) -> Option<String> {
    let rules = &map.rules;
    let mut text = match (&rules.journey, &rules.end) {
        (Some(journey), _) => format!(
            "A seat that completes {} wins at once. When a seat has placed its last train the game is over: most \
             completed tickets win.",
            count(journey.tickets_to_win.into(), "ticket", "tickets")
        ),
        (None, Some(end)) => format!(
            "A seat that ends its turn with at most {} starts the final round.",
            count(end.trains_at_most.into(), "train", "trains")
        ),
        (None, None) => String::new(),
    };
    if rules.no_progress_rounds > 0 {
        text.push_str(&format!(
            " {} without progress end the game.",
            count(rules.no_progress_rounds.into(), "round", "rounds")
        ));
    }
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn bonuses(map: &MapSpec) -> Option<String> {
    let bonus = &map.rules.bonus;
    let mut all = Vec::new();
    if bonus.longest_path > 0 {
        all.push(format!("Longest path +{}.", bonus.longest_path));
    }
    if bonus.most_tickets > 0 {
        all.push(format!("Most completed tickets (Globetrotter) +{}.", bonus.most_tickets));
    }
    if all.is_empty() && map.rules.journey.is_none() {
        all.push("None.".to_owned());
    }
    (!all.is_empty()).then(|| all.join(" "))
}

fn ties(map: &MapSpec) -> Option<String> {
    let words: Vec<_> = map
        .rules
        .tie_breaks
        .iter()
        .map(|tie_break| match tie_break {
            TieBreak::CompletedTickets => "most completed tickets",
            TieBreak::FewestStations => "fewest stations built",
            TieBreak::LongestPathBonus => "longest-path bonus",
            TieBreak::LongestPath => "longest path",
            TieBreak::LongestTicket => "most valuable completed ticket",
        })
        .collect();
    Some(match words[..] {
        [] => "Shared.".to_owned(),
        _ => format!("Broken by {}; then shared.", words.join(", then ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttr_engine::maps;

    fn words(text: &str) -> String {
        let map = maps::parse("words.toml", &format!("format = 1\nname = 'Words'\n{text}")).unwrap();
        in_words(&map).iter().map(|(topic, text)| format!("{topic}: {text}\n")).collect()
    }

    /// Every option of the rules appears in the text.
    #[test]
    fn options() {
        for (change, expected) in [
            ("trains = 40", "Each seat has 40 trains, 3 stations and 4 cards."),
            ("first_seat = { seat = 2 }", "Seat 2 starts."),
            ("deck.red = 11", "12 black; 11 red; 14 locomotives."),
            ("draw.reshuffle = 'lazy'", "when a card is needed and the deck is empty"),
            ("draw.face_up_locomotive = 'ordinary'", "A face-up locomotive is a card like any other."),
            ("draw.flush_at = 0", "never flushed"),
            (
                "draw.max_flushes = 3",
                "3 face-up locomotives flush the face-up cards, at most 3 times in a row.",
            ),
            ("claim.both_tracks_from = 2", "Doubles: Both tracks are open, to different seats."),
            ("claim.both_tracks_from = 5", "from 5 seats on"),
            ("claim.twins_require_equal_length = true", "Tracks of different lengths are no double route."),
            ("tunnels.reveal = 1", "1 card is revealed"),
            (
                "ferry_sets = { cards = 3, spaces = 'locomotive-space-only' }",
                "Any 3 cards stand for a space with",
            ),
            ("stations.unbuilt_points = 2", "Each one not built: +2."),
            ("depots = {}", "Depots: 5 per seat and a warehouse"),
            (
                "depots.bonus = 7",
                "and a seat has no depot in reserve, the warehouses become the deck. Most depots in reserve: +7.",
            ),
            ("depots.timing = 'any-time'", "and at the start of others' turns"),
            ("depots.empty_trigger = 'empty-warehouse'", "a seat has no card in its warehouse"),
            ("tickets.unkept = 'box'", "Later: draw 3, keep at least 1; the others go to the box."),
            ("end.trains_at_most = 1", "with at most 1 train starts"),
            ("no_progress_rounds = 7", "7 rounds without progress end the game."),
            ("bonus.most_tickets = 15", "Longest path +10. Most completed tickets (Globetrotter) +15."),
            ("bonus.longest_path = 0\nrules.tie_breaks = []", "Bonuses: None.\nTies: Shared."),
            (
                "tie_breaks = ['longest-ticket']",
                "Ties: Broken by most valuable completed ticket; then shared.",
            ),
        ] {
            let plain = words("base = 'europe'");
            let text_now = words(&format!("base = 'europe'\nrules.{change}"));
            assert!(text_now.contains(expected), "{change}: {text_now}");
            assert!(!plain.contains(expected), "{change} appears in any case");
        }
        // Only regular tickets can go under the deck, so not on Europe.
        let usa = words("base = 'usa'");
        assert!(usa.contains("The others go under the deck. Later"), "{usa}");
        let boxed = words("base = 'usa'\nrules.tickets.unkept_opening = 'box'");
        assert!(boxed.contains("The others go to the box. Later"), "{boxed}");
        let open = words("base = 'europe'\nrules.stations = false");
        assert!(open.contains("has 45 trains and 4 cards") && !open.contains("Stations:"), "{open}");
    }

    #[test]
    fn shipped_maps() {
        let opening = words("base = 'europe'");
        assert!(opening.contains("Opening: 1 long and 3 regular dealt, at least 2 held."), "{opening}");
        let nordic = words("base = 'nordic'");
        assert!(nordic.contains("tunnels and ferries only"), "{nordic}");
        assert!(nordic.contains("any 4 cards stand for one space"), "{nordic}");
        let journey = words("base = 'first-journey-usa'");
        assert!(journey.contains("Two cards, blind: none lie face up."), "{journey}");
        assert!(
            journey.contains("one of New York, Washington and Miami counts as a ticket, once."),
            "{journey}"
        );
        assert!(journey.contains("completes 6 tickets wins at once"), "{journey}");
    }
}
