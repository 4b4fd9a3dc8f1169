//! The only place that knows bincode: values to bytes and back, and a checksum.
//!
//! The bytes are bincode 2's standard (varint) form. Should that crate have to go, whatever writes the same bytes
//! can take its place here.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Most bytes that decoding may be asked to believe in, against hostile lengths.
const LIMIT: usize = 1 << 24;

/// A value as bytes.
pub fn encode(value: &impl Serialize) -> Vec<u8> {
    bincode::serde::encode_to_vec(value, bincode::config::standard())
        .expect("plain values in memory can always be encoded")
}

/// A value and the number of bytes it took, or why there is none.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, usize), String> {
    let config = bincode::config::standard().with_limit::<LIMIT>();
    bincode::serde::decode_from_slice(bytes, config).map_err(|error| error.to_string())
}

/// FNV-1a over the bytes, finished so that every bit counts: finds accidents, not attacks.
pub fn checksum(bytes: &[u8]) -> u64 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
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
        let back: (String, u16, Vec<i16>, Option<u8>) = decode(&bytes).unwrap().0;
        assert_eq!(back.1, 300);
    }
    const GOLDEN_CHECKSUM: u64 = 3_818_963_643_244_707_468;

    #[test]
    fn a_hostile_length_is_refused() {
        let lie = [253, 255, 255, 255, 255, 255, 255, 255, 127];
        assert!(decode::<Vec<u64>>(&lie).is_err());
    }
}
