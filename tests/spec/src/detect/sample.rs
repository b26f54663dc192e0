//! The sample of a document: stretches of running text around what is not ASCII, and windows.

/// Bytes of the first stretch, and of each further one.
const FIRST: usize = 512;
const FURTHER: usize = 64;

/// Where further stretches begin, in bytes after the first one beyond ASCII.
const PLACES: [usize; 8] = [2048, 4096, 8192, 16384, 24576, 32768, 43008, 53248];

/// How many ASCII bytes before and after others belong to a stretch.
const CONTEXT: usize = 12;

/// In how many bytes after the first stretch windows are looked for, and how many there are at most.
const WINDOWS_LIMIT: usize = 16 * 1024;
const WINDOWS: usize = 32;

/// Bytes before and after the one that a window is about.
const AROUND: usize = 3;

/// A part of the sample, which is scored by itself.
pub struct Part {
    /// Running text. A stretch may be empty.
    pub stretches: Vec<Vec<u8>>,
    /// What comes after it.
    pub windows: Vec<u8>,
}

impl Part {
    /// The running text.
    pub fn main(&self) -> Vec<u8> {
        self.stretches.concat()
    }

    /// The running text and the windows.
    pub fn all(&self) -> Vec<u8> {
        [self.main(), self.windows.clone()].concat()
    }
}

impl Part {
    /// What comes after the first bytes of the running text.
    pub fn after(&self, read: usize) -> Self {
        Self {
            stretches: vec![self.main()[read..].to_vec()],
            windows: self.windows.clone(),
        }
    }

    /// The first bytes of the running text.
    pub fn up_to(&self, len: usize) -> Self {
        Self {
            stretches: vec![self.main()[..len].to_vec()],
            windows: Vec::new(),
        }
    }
}

/// Returns the block of 64 bytes that contains the most bytes beyond ASCII.
///
/// The result is `None` if the block contains fewer than 24 of them, or fewer than twice as many as a block of these parts.
pub fn densest(read: &[u8], parts: [&Part; 2]) -> Option<Part> {
    let high = |block: &[u8]| block.iter().filter(|&&byte| byte >= 0x80).count();
    let of_part = |part: &Part| part.main().chunks(64).map(high).max().unwrap_or(0);
    let of_parts = parts.map(of_part).into_iter().max()?;
    let block = read.chunks(64).max_by_key(|block| high(block))?;
    (high(block) >= 24 && high(block) >= 2 * of_parts).then(|| Part {
        stretches: vec![without_repeats(shortened(block))],
        windows: Vec::new(),
    })
}

/// The first stretch with the windows, and the further stretches.
pub fn of(document: &[u8]) -> (Part, Part) {
    let (first, mut end) = stretch(document, 0, FIRST, false);
    let windows = if first.len() == FIRST && !is_paired(&first) {
        windows(&first, &document[end..])
    } else {
        Vec::new()
    };
    let begin = document.iter().position(|&byte| byte >= 0x80).unwrap_or(0);
    let mut further = Vec::new();
    for place in PLACES {
        let place = begin + place;
        let mut found = Vec::new();
        // One that an earlier stretch reaches beyond stays empty.
        if place >= end && place < document.len() {
            // The place may be within a character.
            let run = document[place..].iter().take_while(|&&byte| byte >= 0x80);
            (found, end) = stretch(document, place + run.count(), FURTHER, true);
        }
        further.push(found);
    }
    let beginning = Part {
        stretches: vec![without_repeats(shortened(&first))],
        windows,
    };
    let further = Part {
        stretches: further
            .iter()
            .map(|text| without_repeats(shortened(text)))
            .collect(),
        windows: Vec::new(),
    };
    (beginning, further)
}

/// Up to `most` bytes of running text from `at` on, and where in the document they end.
///
/// A space stands for ASCII that is left out, and at the beginning if `is_left_out`.
fn stretch(document: &[u8], mut at: usize, most: usize, mut is_left_out: bool) -> (Vec<u8>, usize) {
    let mut text = Vec::new();
    while text.len() < most {
        let Some(ascii) = document[at..].iter().position(|&byte| byte >= 0x80) else {
            return (text, document.len());
        };
        // The end of the ASCII before the word, from the last bracket of markup on.
        let before = &document[at..at + ascii];
        let mut kept = &before[ascii.saturating_sub(CONTEXT)..];
        if let Some(bracket) = kept.iter().rposition(is_bracket) {
            kept = &kept[bracket..];
        }
        if is_left_out || kept.len() < before.len() {
            text.push(b' ');
        }
        is_left_out = false;
        text.extend(kept);
        // The word, and the ASCII after it, up to the first bracket.
        at += ascii;
        let mut context = CONTEXT;
        while context > 0 && at < document.len() && text.len() < most {
            let byte = document[at];
            text.push(byte);
            at += 1;
            context = match byte {
                0x80.. => CONTEXT,
                _ if is_bracket(&byte) => 0,
                _ => context - 1,
            };
        }
    }
    // There may have been no place for all that comes before a word.
    text.truncate(most);
    (text, at)
}

/// The text with runs of one byte beyond ASCII of at most four, or three where their length is odd.
fn shortened(text: &[u8]) -> Vec<u8> {
    let runs = text.chunk_by(|one, next| one == next);
    let kept = runs.flat_map(|run| match run.len() {
        5.. if run[0] >= 0x80 => &run[..4 - run.len() % 2],
        _ => run,
    });
    kept.copied().collect()
}

/// The text without what repeats a pattern of 2 to 8 bytes that begins within the first 64 with one beyond ASCII: of four
/// times and more, two are left, or three where their number is odd.
pub fn without_repeats(mut text: Vec<u8>) -> Vec<u8> {
    let mut at = 0;
    while at < text.len().min(64) {
        let repeated = (2..=8)
            .map(|len| {
                let is_again = |place: &usize| text.get(place + len) == text.get(*place);
                let same = (at..text.len() - len.min(text.len())).take_while(is_again);
                (len, 1 + same.count() / len)
            })
            .find(|&(_, times)| times >= 4)
            .filter(|_| text[at] >= 0x80);
        at += match repeated {
            Some((len, times)) => {
                let kept = (2 + times % 2) * len;
                text.drain(at + kept..at + times * len);
                kept
            }
            None => 1,
        };
    }
    text
}

fn is_bracket(byte: &u8) -> bool {
    matches!(byte, b'<' | b'>')
}

/// The first place of each byte beyond ASCII that the first stretch lacks, with the bytes around it, after a space.
fn windows(first: &[u8], rest: &[u8]) -> Vec<u8> {
    let rest = &rest[..rest.len().min(WINDOWS_LIMIT)];
    let mut seen = first.to_vec();
    let mut before = first.to_vec();
    let mut windows = Vec::new();
    let (mut at, mut count) = (0, 0);
    while at < rest.len() && count < WINDOWS {
        let byte = rest[at];
        if byte >= 0x80 && !seen.contains(&byte) {
            let window = &rest[at..rest.len().min(at + 1 + AROUND)];
            windows.push(b' ');
            windows.extend(&before[before.len() - AROUND..]);
            windows.extend(window);
            seen.extend(window);
            before.extend(window);
            at += window.len();
            count += 1;
        } else {
            before.push(byte);
            at += 1;
        }
    }
    windows
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
