//! Finding set bits.

/// The lowest bit of each byte.
pub(crate) const BYTES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = BYTES << 7;

/// The position of the set bit that has `n` set bits below it; `n` is below [`u64::count_ones`].
///
/// Without a branch or a loop: the member is random, so a branch would be mispredicted.
#[inline]
pub(crate) const fn select(word: u64, n: u32) -> u32 {
    let pairs = word - ((word >> 1) & (BYTES * 0x55));
    let nibbles = (pairs & (BYTES * 0x33)) + ((pairs >> 2) & (BYTES * 0x33));
    // Byte i: how many bits are set in the bytes 0 to i.
    let sums = ((nibbles + (nibbles >> 4)) & (BYTES * 0x0f)).wrapping_mul(BYTES);
    let passed = (((n as u64 * BYTES) | HIGH_BITS) - sums) & HIGH_BITS;
    let place = passed.count_ones() * 8;
    let below = (sums << 8 >> place) as u32 & 0xff;
    place + IN_BYTE[(n - below) as usize & 7][(word >> place) as usize & 0xff] as u32
}

/// The position of the n-th set bit, by n and byte.
static IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut n, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[n][byte] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The positions of all set bits of a byte, a byte each, the lowest first.
pub(crate) static MEMBERS: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut n = 0;
        while n < 8 {
            table[byte] |= (IN_BYTE[n][byte] as u64) << (8 * n);
            n += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn members_of_a_byte() {
        assert_eq!(MEMBERS[0b1010_0110].to_le_bytes()[..4], [1, 2, 5, 7]);
        assert_eq!(MEMBERS[0xff].to_le_bytes(), [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    proptest! {
        #[test]
        fn select_agrees_with_clearing_bits(word: u64, thin: u64) {
            for word in [word, word & thin, word | thin, u64::MAX, 1 << 63] {
                let mut rest = word;
                for n in 0..word.count_ones() {
                    prop_assert_eq!(select(word, n), rest.trailing_zeros());
                    rest &= rest - 1;
                }
            }
        }
    }
}
