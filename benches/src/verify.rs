//! Compares two outputs before they are timed: the speed of a wrong answer is worthless.

use std::fmt;

/// The first difference between two outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Index of the first item that differs.
    pub at: usize,
    /// The items around the first difference: mojika's and the peer's.
    pub around: [String; 2],
    /// Lengths of both outputs.
    pub lengths: [usize; 2],
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "outputs differ at {} (lengths {} and {})\n  mojika: {}\n  peer:   {}",
            self.at, self.lengths[0], self.lengths[1], self.around[0], self.around[1]
        )
    }
}

/// Compares mojika's output with a peer's.
///
/// # Errors
///
/// [`Mismatch`] if they differ.
pub fn compare<T: PartialEq + fmt::UpperHex>(ours: &[T], theirs: &[T]) -> Result<(), Mismatch> {
    if ours == theirs {
        return Ok(());
    }
    let at = ours
        .iter()
        .zip(theirs)
        .take_while(|(our, their)| our == their)
        .count();
    let around = |items: &[T]| {
        let from = at.saturating_sub(8);
        let shown = &items[from..items.len().min(at + 16)];
        let hex: Vec<_> = shown.iter().map(|item| format!("{item:02X}")).collect();
        format!("[{from}..] {}", hex.join(" "))
    };
    Err(Mismatch {
        at,
        around: [around(ours), around(theirs)],
        lengths: [ours.len(), theirs.len()],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(compare(b"abc", b"abc"), Ok(()));
        let mismatch = compare(b"0123456789abc", b"0123456789xbc").unwrap_err();
        assert_eq!(mismatch.at, 10);
        assert_eq!(mismatch.around[0], "[2..] 32 33 34 35 36 37 38 39 61 62 63");
        assert_eq!(compare(&[1_u16, 2], &[1]).unwrap_err().at, 1);
    }
}
