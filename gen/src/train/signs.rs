//! Signs beyond ASCII: how common each is, and what stands beside it.
//!
//! Costs follow from in how many files a sign stands, of the copyright files, changelogs, headers and scripts of a Debian
//! system that have any: `©` in one of two, `’ – — ° “ ”` in one of ten, `« » • § ±` in one of thirty, `¼ ¶ ¥` in one of a
//! hundred, and so on. Running text would not do: translated messages have neither copyright signs nor units.

/// What a sign expects beside it. The detector has the costs (`src/sniff/detect/signs.rs`), in this order.
#[derive(Clone, Copy)]
pub enum Place {
    /// Anything.
    Free,
    /// A space before it; a letter or digit after it.
    Prefix,
    /// A letter or digit before it; no digit after it.
    Suffix,
    /// A letter before it.
    Apostrophe,
    /// A letter or digit before it, and a space or a sign after it.
    Closing,
    /// The same kind of sign: lines and blocks.
    Box,
    /// A digit or a space before it, and a letter after it.
    Micro,
    /// A space that does not break.
    Space,
    /// As `Suffix`; the letter of a unit may follow.
    Degree,
    /// No letter at all.
    Alone,
}

/// A letter that stands alone after a digit, as a sign does, or as the last byte of a range in source code.
pub fn is_sign(character: char) -> bool {
    matches!(character, 'µ' | 'ª' | 'º' | 'ÿ' | 'Ÿ')
}

/// The place of a sign and its cost, in units of 3/4 bit.
pub fn sign(character: char) -> (Place, u8) {
    use Place::*;
    let cost = match character {
        '©' | '’' | '\u{A0}' | '°' | '–' | '—' => 3,
        '“' | '”' => 4,
        '‘' | '…' | '•' | '·' | '«' | '»' | '®' | '™' | '§' | '½' | '²' | '±' | '×' | '£' | '€'
        | 'µ' => 5,
        '№' | '،' | '؛' | '؟' | '\u{200C}' | '„' => 5,
        '³' | 'º' | 'ª' | '¿' | '¡' | '¼' | '¾' | '¹' | '¢' | '‚' | '‹' | '›' | '†' | '‡' | '÷'
        | '‰' | '¬' => 8,
        '\u{200D}'..='\u{200F}' | '₪' | '฿' | '\u{5F3}' | '\u{5F4}' | '\u{640}' => 8,
        '¥' | '¶' | '´' | '¨' | '¸' | '΄' | '΅' | '\u{2212}' | '≠' | '≤' | '≥' | '∞' | '∂'
        | '∑' | '√' | '∆' | 'π' => 9,
        '─'..='▟' => 8,
        // The last byte of a range in source code; its capital is no more than a byte.
        'ÿ' => 8,
        'Ÿ' => 24,
        '¯' | '¦' | '\u{AD}' => 12,
        _ => 14,
    };
    let place = match character {
        '\u{A0}' => Space,
        '£' | '€' | '¥' | '¿' | '¡' | '§' | '¶' | '„' | '‚' | '“' | '‘' | '№' => {
            Prefix
        }
        '°' | 'º' | 'ª' => Degree,
        '©' | '±' | '×' | '÷' | '•' | '†' | '‡' | '¬' | '¦' | '¨' | '¯' | '¸' | '¤' => {
            Alone
        }
        '²' | '³' | '¹' | '½' | '¼' | '¾' | '¢' | '‰' | '™' | '®' | '…' | '،' | '؛' | '؟' => {
            Suffix
        }
        '’' | '´' => Apostrophe,
        '”' => Closing,
        'µ' => Micro,
        '─'..='▟' => Box,
        _ => Free,
    };
    (place, cost)
}
