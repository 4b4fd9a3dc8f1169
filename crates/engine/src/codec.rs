//! Binary encoding of values, and checksums. The only module that uses bincode.
//!
//! The bytes are bincode 2's standard (varint) format. If that crate ever has to be replaced, any code
//! that writes the same bytes will do.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Encodes a value as bytes.
pub fn encode(value: &impl Serialize) -> Vec<u8> {
    bincode::serde::encode_to_vec(value, bincode::config::standard())
        .expect("plain values in memory can always be encoded")
}

/// An error for bytes that are not an encoded value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes are not a value of the requested type.
    #[error("{0}")]
    Malformed(String),
    /// There are bytes after the value.
    #[error("it is too long")]
    TooLong,
}

/// Decodes a value that takes up all of the bytes.
///
/// Everything that [`encode`] writes can be decoded, whatever its length. A hostile length is rejected
/// before memory is allocated for it.
///
/// ```
/// use ttr_engine::codec::{self, DecodeError};
/// let bytes = codec::encode(&("europe", 7u8));
/// assert_eq!(codec::decode::<(String, u8)>(&bytes)?, ("europe".to_owned(), 7));
/// assert_eq!(codec::decode::<String>(&bytes), Err(DecodeError::TooLong));
/// # Ok::<(), DecodeError>(())
/// ```
///
/// # Errors
/// If the bytes are not such a value.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    let (value, used) = decode_first(bytes)?;
    if used == bytes.len() { Ok(value) } else { Err(DecodeError::TooLong) }
}

/// Decodes a value that may be followed by more bytes. Returns it with the number of bytes read.
///
/// # Errors
/// If the bytes do not start with such a value.
pub fn decode_first<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, usize), DecodeError> {
    // A number takes at least one byte and decodes to at most 16, so a limit of 16 times the available
    // bytes rejects nothing that was encoded. Limits are constants of bincode's types, so they come in
    // steps.
    match bytes.len() {
        0..=0x10_0000 => decode_within::<T, { 1 << 24 }>(bytes),
        0x10_0001..=0x100_0000 => decode_within::<T, { 1 << 28 }>(bytes),
        0x100_0001..=0x1000_0000 => decode_within::<T, { power_of_two(32) }>(bytes),
        _ => decode_within::<T, { power_of_two(48) }>(bytes),
    }
}

const fn power_of_two(exponent: u32) -> usize {
    if exponent < usize::BITS { 1 << exponent } else { usize::MAX }
}

fn decode_within<T: DeserializeOwned, const LIMIT: usize>(bytes: &[u8]) -> Result<(T, usize), DecodeError> {
    let config = bincode::config::standard().with_limit::<LIMIT>();
    bincode::serde::decode_from_slice(bytes, config).map_err(|why| DecodeError::Malformed(why.to_string()))
}

/// FNV-1a over the bytes, with a finalizer so that every bit counts. Detects accidents, not attacks.
pub fn checksum(bytes: &[u8]) -> u64 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The finalizer of SplitMix64: every input bit affects every output bit. Seeds of [`Dice`](crate::Dice) and
/// the checksums of `ttr bench` are made of it.
#[inline]
pub const fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files outlive versions: these bytes must not change.
    #[test]
    fn golden_bytes() {
        let bytes = encode(&("europe", 300u16, vec![-1i16, 5], Some(7u8)));
        assert_eq!(bytes, [6, b'e', b'u', b'r', b'o', b'p', b'e', 251, 44, 1, 2, 1, 10, 1, 7]);
        assert_eq!(checksum(b"ttr"), GOLDEN_CHECKSUM);
        let back: (String, u16, Vec<i16>, Option<u8>) = decode(&bytes).unwrap();
        assert_eq!(back.1, 300);
    }
    const GOLDEN_CHECKSUM: u64 = 3_818_963_643_244_707_468;

    #[test]
    fn a_hostile_length_is_refused() {
        let lie = [253, 255, 255, 255, 255, 255, 255, 255, 127];
        assert!(decode::<Vec<u64>>(&lie).is_err());
        assert!(decode::<String>(&lie).is_err());
    }

    /// Small numbers decode to 16 times the bytes that they take.
    #[test]
    fn nothing_that_was_encoded_is_too_long() {
        for count in [0x10_0000 - 8, 0x10_0001, 0x120_0000] {
            let value = vec![1u128; count];
            let bytes = encode(&value);
            assert!(decode::<Vec<u128>>(&bytes).unwrap() == value, "{count}");
        }
    }
}
