//! What words of another script than the Latin one cost by what stands beside them, in single-byte encodings.

/// A byte, as far as words go. Marks on letters are none.
#[derive(Clone, Copy, PartialEq)]
pub enum Token {
    /// A letter of the script.
    Letter,
    AsciiLetter,
    Digit,
    Other,
}

impl Token {
    /// A byte that is no letter of the script.
    pub fn other(byte: u8) -> Self {
        match byte {
            _ if byte.is_ascii_alphabetic() => Token::AsciiLetter,
            _ if byte.is_ascii_digit() => Token::Digit,
            _ => Token::Other,
        }
    }
}

/// A run of tokens.
#[derive(Clone, Copy, PartialEq)]
enum Run {
    /// Letters of the script.
    Foreign,
    /// ASCII letters and digits.
    Ascii,
    Other,
}

fn run_of(token: Token) -> Run {
    match token {
        Token::Letter => Run::Foreign,
        Token::AsciiLetter | Token::Digit => Run::Ascii,
        Token::Other => Run::Other,
    }
}

fn ascii_letters(tokens: &[Token]) -> usize {
    let letters = tokens.iter();
    letters
        .filter(|&&token| token == Token::AsciiLetter)
        .count()
}

/// Whether a letter after these tokens is not the first one of its ASCII word.
pub fn is_in_ascii_word(tokens: &[Token]) -> bool {
    let word = tokens
        .iter()
        .rev()
        .take_while(|&&token| run_of(token) == Run::Ascii);
    word.into_iter().any(|&token| token == Token::AsciiLetter)
}

/// What words of letters cost that something comes after.
pub fn cost(tokens: &[Token]) -> u32 {
    let runs: Vec<&[Token]> = tokens
        .chunk_by(|&one, &next| run_of(one) == run_of(next))
        .collect();
    let is = |run: &[Token], kind: Run| run_of(run[0]) == kind;
    let mut cost = 0;
    let mut has_free = false;
    for (at, word) in runs.iter().enumerate() {
        let Some(next) = runs.get(at + 1).filter(|_| is(word, Run::Foreign)) else {
            continue;
        };
        let before = &runs[..at];
        let touches_before = before
            .last()
            .is_some_and(|run| is(run, Run::Ascii) && ascii_letters(run) > 0);
        let touches_after = next[0] == Token::AsciiLetter;
        cost += 10 * (u32::from(touches_before) + u32::from(touches_after));
        if !touches_before && !touches_after {
            has_free |= word.len() > 1;
        } else if !has_free {
            cost += 6 * word.len().min(6) as u32;
        }
        // The last word; a single ASCII letter is none.
        let last = before
            .iter()
            .rev()
            .find(|run| is(run, Run::Foreign) || is(run, Run::Ascii) && ascii_letters(run) > 1);
        let is_after_ascii = last.is_some_and(|last| is(last, Run::Ascii));
        let is_after_foreign = last.is_some_and(|last| is(last, Run::Foreign));
        cost += match word.len() {
            // Few texts have two words of one letter in a row.
            1 if is_after_foreign => match last {
                Some([_]) => 4,
                _ => 0,
            },
            1 => 10,
            2 if is_after_ascii => 6,
            _ if is_after_ascii => 3,
            _ => 0,
        };
    }
    cost
}
