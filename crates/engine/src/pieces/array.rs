//! Arrays of any length for serde, which only knows those of up to 32 items.

use arrayvec::ArrayVec;
use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<T: Serialize, S: Serializer, const N: usize>(
    array: &[T; N],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut tuple = serializer.serialize_tuple(N)?;
    array.iter().try_for_each(|item| tuple.serialize_element(item))?;
    tuple.end()
}

pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>, const N: usize>(
    deserializer: D,
) -> Result<[T; N], D::Error> {
    struct Items<T, const N: usize>(std::marker::PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Items<T, N> {
        type Value = [T; N];

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{N} items")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<[T; N], A::Error> {
            let mut array = ArrayVec::<T, N>::new();
            while array.len() < N {
                let length = array.len();
                array.push(items.next_element()?.ok_or_else(|| A::Error::invalid_length(length, &self))?);
            }
            Ok(array.into_inner().unwrap_or_else(|_| unreachable!("it is full")))
        }
    }

    deserializer.deserialize_tuple(N, Items(std::marker::PhantomData))
}
