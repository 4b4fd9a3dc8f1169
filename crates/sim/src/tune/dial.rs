//! Parameters as coordinates of the search.

use ttr_agents::{Param, Range};

use super::{TuneError, TunePlan};
use crate::game::Playable;

/// A parameter that is tuned; the search sees its range as 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dial {
    pub(super) param: &'static Param,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Its value before.
    pub(super) start: f64,
}

impl Dial {
    /// Its value at a coordinate.
    pub(super) fn value(&self, x: f64) -> f64 {
        let range = self.high - self.low;
        let value = self.low + reflected(x) * range;
        // A ten-thousandth of the range is finer than any effect. Rounded as a decimal, so that it is
        // written as one.
        let unit = 10f64.powf((4.0 - range.log10()).ceil());
        ((value * unit).round() / unit).clamp(self.low, self.high)
    }

    /// The coordinate of its value before.
    pub(super) fn start(&self) -> f64 {
        (self.start - self.low) / (self.high - self.low)
    }
}

/// A number mirrored at 0 and 1 until it is between them.
pub(super) fn reflected(x: f64) -> f64 {
    let x = x.rem_euclid(2.0);
    if x > 1.0 { 2.0 - x } else { x }
}

/// The parameters that a plan tunes: those that it names, or all numeric ones that its agent does not set.
pub(super) fn dials<G: Playable>(game: &G, plan: &TunePlan) -> Result<Vec<Dial>, TuneError> {
    let entry = plan.roster.entry(&plan.agent.name)?;
    let agent = || entry.name().to_owned();
    for name in &plan.options.params {
        let range = entry.param(name)?.range;
        if !matches!(range, Range::Real(..)) {
            let (agent, key, range) = (agent(), name.clone(), range.to_string());
            return Err(TuneError::NotTunable { agent, key, range });
        }
    }
    let wanted = |param: &&'static Param| {
        plan.options.params.is_empty() && plan.agent.given(param.name).is_none()
            || plan.options.params.iter().any(|name| name == param.name)
    };
    let dials: Vec<Dial> = entry
        .params()
        .iter()
        .filter(wanted)
        .filter_map(|param| {
            let Range::Real(low, high) = param.range else { return None };
            let start = match plan.agent.given(param.name) {
                Some(value) => value.to_owned(),
                None => entry.default_of(game, param),
            };
            Some(Dial { param, low, high, start: start.parse().unwrap_or(low).clamp(low, high) })
        })
        .collect();
    if dials.is_empty() {
        let numbers = entry.params().iter().any(|param| matches!(param.range, Range::Real(..)));
        let agent = agent();
        return Err(if numbers { TuneError::AllSet { agent } } else { TuneError::NothingToTune { agent } });
    }
    Ok(dials)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_in_range() {
        for (x, within) in [(0.25, 0.25), (1.25, 0.75), (-0.25, 0.25), (2.5, 0.5), (-1.75, 0.25)] {
            assert!((reflected(x) - within).abs() < 1e-12, "{x}");
        }
    }

    /// A value has few digits for any range: 3.3456 and not 3.3455999999999997.
    #[test]
    fn values_are_short() {
        let param = &ttr_agents::Roster::built_in().entry("planner").unwrap().params()[0];
        for range in [1.0, 3.0, 7.0, 10.0, 17.5, 40.0, 1000.0] {
            let dial = Dial { param, low: -range / 2.0, high: range / 2.0, start: 0.0 };
            for step in 0..1000 {
                let value = dial.value(f64::from(step) * 0.00107);
                assert!(value.to_string().len() <= 8, "{value} in a range of {range}");
            }
        }
    }
}
