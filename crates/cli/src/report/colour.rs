//! Colours by step, so that a page can be light or dark: markup names a step, the style sheet defines its
//! colour.
//!
//! `--heat-0` to `--heat-20` run from low to high, `--side-0` to `--side-20` from below through the middle
//! to above; each has a colour for text on it: `--on-heat-3`.

use std::fmt::Write;

/// The last step of a ramp.
pub(super) const LAST_STEP: usize = 20;

/// A ramp of colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ramp {
    /// From low to high.
    Heat,
    /// From below to above, with a neutral middle.
    Side,
}

impl Ramp {
    const ALL: [Self; 2] = [Self::Heat, Self::Side];

    fn name(self) -> &'static str {
        match self {
            Self::Heat => "heat",
            Self::Side => "side",
        }
    }

    /// The step for a position from 0 to 1.
    fn step(place: f64) -> usize {
        if place.is_finite() { (place.clamp(0.0, 1.0) * LAST_STEP as f64).round() as usize } else { 0 }
    }

    /// The colour for a position from 0 to 1, for use in a style.
    pub(super) fn colour(self, place: f64) -> String {
        format!("var(--{}-{})", self.name(), Self::step(place))
    }

    /// The style of a box in that colour with text on it.
    pub(super) fn box_style(self, place: f64) -> String {
        let (name, step) = (self.name(), Self::step(place));
        format!("background:var(--{name}-{step});color:var(--on-{name}-{step})")
    }

    /// Intermediate colours, as red, green and blue. The ends of [`Ramp::Side`] are distinguishable with
    /// both kinds of colour blindness.
    fn stops(self, dark: bool) -> &'static [[u8; 3]] {
        match (self, dark) {
            (Self::Heat, false) => {
                &[[255, 248, 228], [254, 217, 142], [253, 156, 67], [226, 79, 38], [164, 20, 38], [92, 4, 42]]
            }
            (Self::Heat, true) => {
                &[[40, 39, 50], [88, 41, 95], [156, 48, 91], [219, 83, 58], [247, 155, 58], [255, 238, 170]]
            }
            (Self::Side, false) => {
                &[[163, 70, 6], [230, 147, 68], [246, 243, 238], [94, 165, 207], [17, 94, 158]]
            }
            (Self::Side, true) => {
                &[[250, 173, 92], [160, 92, 38], [44, 45, 52], [42, 104, 152], [124, 199, 247]]
            }
        }
    }

    fn rgb(self, dark: bool, step: usize) -> [u8; 3] {
        let stops = self.stops(dark);
        let at = step as f64 / LAST_STEP as f64 * (stops.len() - 1) as f64;
        let before = (at as usize).min(stops.len() - 2);
        let part = at - before as f64;
        let [from, to] = [stops[before], stops[before + 1]];
        std::array::from_fn(|i| (f64::from(from[i]) * (1.0 - part) + f64::from(to[i]) * part).round() as u8)
    }
}

/// The colours of a page as CSS variables.
pub(super) fn variables(dark: bool) -> String {
    let mut css = String::new();
    for ramp in Ramp::ALL {
        let name = ramp.name();
        for step in 0..=LAST_STEP {
            let rgb = ramp.rgb(dark, step);
            let _ = write!(css, "--{name}-{step}:{};--on-{name}-{step}:{};", hex(rgb), text_on(rgb));
        }
    }
    for (i, rgb) in series(dark).iter().enumerate() {
        let _ = write!(css, "--series-{i}:{};--on-series-{i}:{};", hex(*rgb), text_on(*rgb));
    }
    css
}

/// Number of colours for unordered things, after Okabe and Ito: everybody can distinguish them.
pub(super) const SERIES: usize = 8;

fn series(dark: bool) -> [[u8; 3]; SERIES] {
    if dark {
        [
            [92, 169, 233],
            [240, 173, 63],
            [64, 190, 150],
            [222, 142, 190],
            [236, 124, 72],
            [150, 214, 246],
            [232, 222, 98],
            [160, 163, 172],
        ]
    } else {
        [
            [0, 104, 170],
            [230, 159, 0],
            [0, 146, 108],
            [196, 104, 156],
            [206, 84, 0],
            [86, 180, 233],
            [214, 200, 40],
            [110, 112, 120],
        ]
    }
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Black or white, whichever is easier to read.
fn text_on(rgb: [u8; 3]) -> &'static str {
    if contrast(rgb, [255; 3]) > contrast(rgb, [16; 3]) { "#fff" } else { "#101010" }
}

/// The contrast of two colours after WCAG 2: from 1 to 21.
fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance(rgb: [u8; 3]) -> f64 {
    let linear = rgb.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_can_be_read_on_every_colour() {
        let readable = |rgb: [u8; 3]| contrast(rgb, [255; 3]).max(contrast(rgb, [16; 3])) >= 4.3;
        for dark in [false, true] {
            for ramp in Ramp::ALL {
                assert!((0..=LAST_STEP).all(|step| readable(ramp.rgb(dark, step))));
            }
            assert!(series(dark).into_iter().all(readable));
        }
    }

    #[test]
    fn heat_goes_one_way() {
        for dark in [false, true] {
            let steps: Vec<f64> = (0..=LAST_STEP).map(|step| luminance(Ramp::Heat.rgb(dark, step))).collect();
            assert!(steps.windows(2).all(|pair| (pair[0] < pair[1]) == dark), "{steps:?}");
        }
    }

    #[test]
    fn every_place_has_a_colour() {
        assert_eq!(Ramp::Heat.colour(0.5), "var(--heat-10)");
        assert_eq!(Ramp::Side.colour(7.0), "var(--side-20)");
        assert_eq!(Ramp::Side.colour(f64::NAN), "var(--side-0)");
    }
}
