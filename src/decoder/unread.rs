//! Unreads the bytes of an incomplete sequence, as iconv does.

use super::{Decoder, Stage};
use crate::bom::BomWatch;
use crate::codec::Replay;

impl Decoder {
    /// Unreads the [incomplete](Self::incomplete_len) bytes at the end of the input, and returns their number.
    ///
    /// The decoder forgets these bytes, and the caller passes them again before the next input. iconv leaves an
    /// incomplete sequence in the input in the same way. Complete escape sequences of ISO-2022-JP stay read.
    ///
    /// ```
    /// let mut decoder = mojika::SHIFT_JIS.new_decoder();
    /// let mut text = [0_u8; 8];
    /// let progress = decoder.decode(b"\x95\xB6\x8E", &mut text, false);
    /// assert_eq!(progress.read - decoder.unread_incomplete(), 2);
    /// assert_eq!(decoder.position(), 2);
    /// let progress = decoder.decode(b"\x8E\x9A", &mut text, true);
    /// assert_eq!(&text[..progress.written], "字".as_bytes());
    /// ```
    pub fn unread_incomplete(&mut self) -> usize {
        let count = self.incomplete_len();
        if count > 0 {
            self.replay = Replay::default();
            self.machine.forget_incomplete(self.encoding.kind);
            self.position -= count as u64;
            let is_ready = !self.owes_replacement && self.machine.pending() == 0;
            self.stage = match self.stage {
                Stage::Start(_) => Stage::Start(BomWatch::new(self.handling, self.asked)),
                _ if is_ready => Stage::Between,
                _ => Stage::Inside,
            };
        }
        count
    }
}
