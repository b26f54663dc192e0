//! Tables and trees drawn with the box-drawing characters of DOS code pages.

use super::{encoded, first, plain};
use mojika::BIG5;
use mojika_sniff::detect::{DetectHints, detect};

/// Returns a comment in a box, a table, a tree and a bar, in characters that all DOS code pages share.
fn drawings() -> Vec<String> {
    let mut drawings = Vec::new();
    for [across, down, left, right, low_left, low_right] in [
        ['═', '║', '╔', '╗', '╚', '╝'],
        ['─', '│', '┌', '┐', '└', '┘'],
    ] {
        for width in [6, 20, 61] {
            let line = across.to_string().repeat(width);
            let text = format!("{:<width$}", "NAME")
                .chars()
                .take(width)
                .collect::<String>();
            let boxed = format!(
                "{left}{line}{right}\r\n{down}{text}{down}\r\n{low_left}{line}{low_right}\r\n"
            );
            drawings.push(boxed.clone());
            drawings.push(format!("; {}", boxed.replace("\r\n", "\r\n; ")));
            drawings.push(boxed.repeat(40));
        }
    }
    drawings.push("C:\\\r\n├───DOS\r\n├───WINDOWS\r\n│   └───SYSTEM\r\n└───TEMP\r\n".repeat(3));
    drawings.push("Copying ████████████░░░░░░░░ 60%\r\n".to_owned());
    drawings
}

#[test]
fn lines_of_tables_are_no_words() {
    for drawing in drawings() {
        let text =
            format!("This program prints a table.\r\n\r\n{drawing}\r\nEnd of the table.\r\n");
        let bytes = encoded("IBM437", &text);
        let hints = DetectHints {
            extended: true,
            ..DetectHints::default()
        };
        let guess = detect(&bytes, &hints)[0];
        // One small box, or the branches of a tree, may look like words.
        let is_box = drawing.contains(['┐', '╗', '╕', '╖']);
        if is_box && drawing.chars().filter(|one| !one.is_ascii()).count() > 20 {
            assert_eq!(guess.encoding.decode(&bytes).text, text, "{guess:?}");
        }
    }
}

/// A repeated drawing adds no evidence.
#[test]
fn a_pattern_that_is_drawn_again_and_again_does_not_decide() {
    let text = "Die Prüfung der Bücher für das nächste Jahr müßte schöne Übungen einschließen.\r\n";
    for pattern in ["▓▒░ ", "▒▓", "█▀▄ "] {
        for times in [4, 10, 25] {
            let drawn = format!("{}\r\n{text}", pattern.repeat(times));
            let bytes = encoded("IBM850", &drawn);
            let ranking = plain(&bytes);
            assert!(ranking[0].probability < 0.9, "{drawn}{ranking:?}");
            let hints = DetectHints {
                extended: true,
                ..DetectHints::default()
            };
            let guess = detect(&bytes, &hints)[0];
            assert_eq!(guess.encoding.decode(&bytes).text, drawn, "{guess:?}");
        }
    }
    let text = "媒體目錄已經存在。請先刪除該目錄，然後重新啟動匯入程序。\n";
    for pattern in ["★☆★ ", "※◎", "●○● "] {
        for times in [4, 10] {
            let bytes = encoded("Big5", &format!("{}\n{text}", pattern.repeat(times)));
            assert_eq!(
                first(&bytes, &DetectHints::default()),
                Some(BIG5),
                "{pattern}{times}"
            );
        }
    }
}

#[test]
fn words_between_lines_of_tables_decide() {
    for (name, text) in [
        ("IBM866", "Все люди рождаются свободными и равными"),
        ("KOI8-R", "Все люди рождаются свободными и равными"),
        ("KOI8-U", "Всі люди народжуються вільними і рівними"),
    ] {
        let line = "─".repeat(text.chars().count());
        let text = format!("┌{line}┐\r\n│{text}│\r\n└{line}┘\r\n");
        let bytes = encoded(name, &text);
        let ranking = plain(&bytes);
        assert_eq!(ranking[0].encoding.decode(&bytes).text, text, "{ranking:?}");
    }
}
