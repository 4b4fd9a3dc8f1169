#![doc = include_str!("README.md")]
#![forbid(unsafe_code)]

macro_rules! shipped {
    ($($id:literal),* $(,)?) => {
        /// The ids of the boards and variants.
        pub const IDS: &[&str] = &[$($id),*];

        /// The file of a board or variant; `None` if there is none of that id.
        ///
        /// ```
        /// assert!(ttr_maps::text("nordic").unwrap().contains("Murmansk"));
        /// assert_eq!(ttr_maps::text("atlantis"), None);
        /// ```
        pub fn text(id: &str) -> Option<&'static str> {
            match id {
                $($id => Some(include_str!(concat!($id, ".toml"))),)*
                _ => None,
            }
        }
    };
}

shipped![
    "europe",
    "europe-expanded",
    "europe-mega",
    "europe-big-cities",
    "nordic",
    "first-journey-europe",
    "first-journey-usa",
    "usa",
    "usa-1910",
    "usa-mega",
    "usa-big-cities",
];

/// The file of the Card Game.
pub const CARD_GAME: &str = include_str!("card-game.toml");

/// The JSON schema of the files of boards and variants.
pub const SCHEMA: &str = include_str!("schema.json");

/// The JSON schema of Card Game files.
pub const CARD_GAME_SCHEMA: &str = include_str!("card-game.schema.json");
