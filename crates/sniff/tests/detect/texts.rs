//! Sentences written for these tests, each with an encoding in use for its language.

/// Returns the encoding, the language and the text of each sentence. Text in UTF-8, UTF-16 and UTF-32 has no language.
pub fn texts() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    include_str!("texts.txt").lines().map(|row| {
        let mut fields = row.splitn(3, ' ');
        let [name, language, text] = [(); 3].map(|()| fields.next().unwrap());
        (name, language.trim_matches('-'), text)
    })
}
