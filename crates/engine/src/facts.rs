//! Views that can't leak.

/// Debug, comparison, hash and serde of an observation, all through its `facts()`: derived forms would show the hidden
/// cards of the state behind it.
macro_rules! seen_through_facts {
    ($observation:ident) => {
        impl std::fmt::Debug for $observation<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.facts().fmt(f)
            }
        }

        impl PartialEq for $observation<'_> {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::eq(self.game, other.game) && self.facts() == other.facts()
            }
        }

        impl Eq for $observation<'_> {}

        impl std::hash::Hash for $observation<'_> {
            fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
                self.facts().hash(hasher);
            }
        }

        impl serde::Serialize for $observation<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.facts().serialize(serializer)
            }
        }
    };
}

pub(crate) use seen_through_facts;
