//! Weights of agents: a struct, parameters and tables of defaults from one list.

/// Declares the weights of an agent: `name = default in least..most, "description";`.
///
/// The type has a documented field per weight, and `PARAMS` has them as parameters of an
/// [`AgentSpec`](crate::AgentSpec).
macro_rules! weights {
    (
        $(#[$doc:meta])*
        $Weights:ident of $number:ty {
            $($name:ident = $default:literal in $least:literal .. $most:literal, $about:literal;)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct $Weights {
            $(
                #[doc = concat!($about, " (", stringify!($least), " to ", stringify!($most), ").")]
                pub $name: $number,
            )*
        }

        impl $Weights {
            /// The untuned weights.
            const BASE: Self = Self { $($name: $default,)* };

            /// The weights as parameters.
            pub(crate) const PARAMS: &[$crate::spec::Param] = &[$($crate::spec::Param {
                name: stringify!($name),
                about: $about,
                default: stringify!($default),
                range: $crate::spec::Range::Real($least, $most),
            },)*];

            /// A weight by its name.
            pub(crate) fn get(&self, name: &str) -> Option<$number> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            fn set(&mut self, name: &str, value: $number) {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => panic!("there is no weight {name}"),
                }
            }

            /// The weights of a table for a number of seats; those that it does not have are as in `BASE`.
            fn of_table(table: &str, seats: usize) -> Self {
                let mut weights = Self::BASE;
                for (name, value) in $crate::weights::column(table, seats) {
                    weights.set(name, value.parse().expect("shipped weights are numbers"));
                }
                weights
            }

            /// The same weights except for those that a spec sets, which has been checked.
            pub(crate) fn with_settings(mut self, spec: &$crate::AgentSpec) -> Self {
                for param in Self::PARAMS {
                    if spec.given(param.name).is_some() {
                        self.set(param.name, spec.number(param.name));
                    }
                }
                self
            }
        }
    };
}
pub(crate) use weights;

/// Names and values in the column of a table for the nearest number of seats; of two equally near ones, the
/// smaller.
///
/// A table has a line per weight and a column per number of seats; the first line has these numbers.
pub(crate) fn column(table: &str, seats: usize) -> impl Iterator<Item = (&str, &str)> {
    let (head, rows) = table.split_once('\n').expect("a table has a head");
    let columns = head.split(',').skip(1).map(|column| column.parse().expect("columns are numbers of seats"));
    let (column, _) = columns
        .enumerate()
        .min_by_key(|&(_, column): &(usize, usize)| column.abs_diff(seats))
        .expect("a table has columns");
    rows.lines().map(move |row| {
        let (name, values) = row.split_once(',').expect("a row has values");
        (name, values.split(',').nth(column).expect("rows are as long as the head"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_by_nearest_seats() {
        let table = "weight,2,4\nhurry,7.5,4\nclaim,3,5.25\n";
        let of = |seats| column(table, seats).collect::<Vec<_>>();
        assert_eq!(of(2), [("hurry", "7.5"), ("claim", "3")]);
        assert_eq!(of(3), of(2));
        assert_eq!(of(5), [("hurry", "4"), ("claim", "5.25")]);
    }
}
