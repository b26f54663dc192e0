//! The sample of a document.

/// Bytes of running text.
pub const MAIN: usize = 768;
/// Bytes of running text and of 32 windows of eight bytes.
pub const CAPACITY: usize = MAIN + 32 * 8;
const CONTEXT: usize = 12;
const WINDOWS_LIMIT: usize = 16 * 1024;

/// The running text, and the running text with the windows behind it.
pub fn of(document: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let is_near = |at: usize| {
        let is_behind = before(document, at)
            .iter()
            .rev()
            .take_while(|&&byte| !is_bracket(byte))
            .any(|&byte| byte >= 0x80);
        document[at] >= 0x80 || is_behind || is_ahead(document, at)
    };
    let mut main = Vec::new();
    let (mut at, mut was_left_out, mut is_before) = (0, false, false);
    while at < document.len() && main.len() < MAIN {
        if !is_near(at) {
            (at, was_left_out) = (at + 1, true);
            continue;
        }
        if was_left_out {
            // The ASCII before the next word, whole or as far as there is room.
            was_left_out = false;
            main.push(b' ');
            is_before = true;
        }
        if main.len() < MAIN {
            is_before = is_before_word(document, at);
            main.push(document[at]);
            at += 1;
        }
    }
    // A word begins where the ASCII before it ends, even if there was no room for that.
    while is_before && at < document.len() && main.len() == MAIN && is_before_word(document, at) {
        at += 1;
    }
    let mut all = main.clone();
    if main.len() == MAIN && !is_paired(&main) {
        let mut seen: Vec<u8> = main.clone();
        let mut before = main[MAIN - 3..].to_vec();
        let end = document.len().min(at + WINDOWS_LIMIT);
        while at < end {
            let byte = document[at];
            if byte >= 0x80 && !seen.contains(&byte) {
                if all.len() + 8 > CAPACITY {
                    break;
                }
                all.push(b' ');
                all.extend(&before[before.len() - 3..]);
                let window = &document[at..end.min(at + 4)];
                all.extend(window);
                seen.extend(window);
                before.extend(window);
                at += window.len();
            } else {
                before.push(byte);
                at += 1;
            }
        }
    }
    (main, all)
}

/// Whether twelve runs of bytes beyond ASCII, of which none is cut off, have even lengths, of more than 3.5 in the mean.
pub fn is_paired(main: &[u8]) -> bool {
    let pieces: Vec<&[u8]> = main.split(u8::is_ascii).collect();
    let whole = &pieces[1..pieces.len().max(2) - 1];
    let lengths: Vec<usize> = whole
        .iter()
        .map(|run| run.len())
        .filter(|&length| length > 0)
        .take(12)
        .collect();
    lengths.len() == 12
        && lengths.iter().all(|length| length.is_multiple_of(2))
        && lengths.iter().sum::<usize>() > 42
}

fn is_bracket(byte: u8) -> bool {
    matches!(byte, b'<' | b'>')
}

fn before(document: &[u8], at: usize) -> &[u8] {
    &document[at.saturating_sub(CONTEXT)..at]
}

/// Whether a byte beyond ASCII comes soon, and no bracket before it.
fn is_ahead(document: &[u8], at: usize) -> bool {
    document[at + 1..]
        .iter()
        .take(CONTEXT)
        .take_while(|&&byte| !is_bracket(byte))
        .any(|&byte| byte >= 0x80)
}

/// Whether this ASCII byte is taken only for the sake of what comes behind it.
fn is_before_word(document: &[u8], at: usize) -> bool {
    let is_behind = before(document, at)
        .iter()
        .rev()
        .take_while(|&&byte| !is_bracket(byte))
        .any(|&byte| byte >= 0x80);
    document[at] < 0x80 && !is_behind && is_ahead(document, at)
}
