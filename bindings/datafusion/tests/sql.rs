//! Tests the functions in SQL.

use datafusion::arrow::array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray,
    LargeBinaryArray, RecordBatch, StringArray, StringViewArray,
};
use datafusion::arrow::datatypes::{DataType, Int32Type};
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::error::Result;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::path::PathBuf;
use std::sync::Arc;

fn context() -> SessionContext {
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(3));
    mojika_datafusion::register(&context);
    context
}

/// Returns a session with the table `t` of `columns`.
fn with_table(columns: Vec<(&str, ArrayRef)>) -> SessionContext {
    let context = context();
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns
            .into_iter()
            .map(|(name, column)| (name, column, true)),
    );
    context.register_batch("t", batch.unwrap()).unwrap();
    context
}

/// Returns the values of the first column as text, with "NULL" for nulls.
async fn values(context: &SessionContext, sql: &str) -> Result<Vec<String>> {
    let mut values = Vec::new();
    for batch in context.sql(sql).await?.collect().await? {
        let column = batch.column(0);
        for row in 0..batch.num_rows() {
            values.push(match column.is_null(row) {
                true => "NULL".to_owned(),
                false => array_value_to_string(column, row)?,
            });
        }
    }
    Ok(values)
}

async fn error(context: &SessionContext, sql: &str) -> String {
    values(context, sql).await.unwrap_err().to_string()
}

const RAW: [Option<&[u8]>; 4] = [Some(b"\x95\xb6"), None, Some(b""), Some(b"ab")];

#[tokio::test]
async fn literals() {
    let context = context();
    for (sql, expected) in [
        ("select decode_text(x'95b6', 'shift_jis')", "文"),
        ("select decode_text(x'ff', 'euc-kr', 'replace')", "\u{FFFD}"),
        ("select decode_text(x'ff', 'euc-kr', 'null')", "NULL"),
        ("select try_decode_text(x'ff', 'euc-kr')", "NULL"),
        ("select try_decode_text(x'61', 'wordperfect')", "NULL"),
        ("select decode_text(null, 'big5')", "NULL"),
        ("select try_decode_text(x'61', null)", "NULL"),
        ("select decode_text(x'c8', 'ibm037')", "H"),
        ("select encode_text('文', 'shift_jis')", "95b6"),
        (
            "select encode_text('→', 'windows-1252', 'html')",
            "26233835393 43b",
        ),
        ("select try_encode_text('→', 'windows-1252')", "NULL"),
        ("select encode_text(null, 'big5')", "NULL"),
        ("select detect_encoding(x'efbbbf61')", "UTF-8"),
        ("select detect_encoding(null)", "NULL"),
    ] {
        let expected = expected.replace(' ', "");
        assert_eq!(values(&context, sql).await.unwrap(), [expected], "{sql}");
    }
}

#[tokio::test]
async fn nulls_and_types() {
    let fixed = [Some(&b"\x95\xb6"[..]), None, Some(b"ab")].into_iter();
    let dictionary: DictionaryArray<Int32Type> = DictionaryArray::new(
        vec![Some(0), None, Some(1), Some(2)].into(),
        Arc::new(BinaryArray::from(vec![&b"\x95\xb6"[..], b"", b"ab"])),
    );
    let columns: [(ArrayRef, DataType, &[&str]); 5] = [
        (
            Arc::new(BinaryArray::from(RAW.to_vec())),
            DataType::Utf8,
            &["文", "NULL", "", "ab"],
        ),
        (
            Arc::new(LargeBinaryArray::from(RAW.to_vec())),
            DataType::LargeUtf8,
            &["文", "NULL", "", "ab"],
        ),
        (
            Arc::new(BinaryViewArray::from_iter(RAW)),
            DataType::Utf8View,
            &["文", "NULL", "", "ab"],
        ),
        (
            Arc::new(dictionary),
            DataType::Utf8,
            &["文", "NULL", "", "ab"],
        ),
        (
            Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(fixed, 2).unwrap()),
            DataType::Utf8,
            &["文", "NULL", "ab"],
        ),
    ];
    for (column, data_type, expected) in columns {
        let context = with_table(vec![("raw", column)]);
        let sql = "select decode_text(raw, 'shift_jis') from t";
        assert_eq!(
            values(&context, sql).await.unwrap(),
            expected,
            "{data_type}"
        );
        let batches = context.sql(sql).await.unwrap().collect().await.unwrap();
        assert_eq!(batches[0].column(0).data_type(), &data_type);
        let sql = "select count(*) from t where decode_text(raw, 'shift_jis') = '文'";
        assert_eq!(values(&context, sql).await.unwrap(), ["1"]);
        let sql =
            "select decode_text(encode_text(decode_text(raw, 'sjis'), 'euc-jp'), 'euc-jp') from t";
        assert_eq!(values(&context, sql).await.unwrap(), expected);
    }
}

#[tokio::test]
async fn labels_of_each_row() {
    let raw = [
        Some(&b"\xe9"[..]),
        Some(b"\x95\xb6"),
        None,
        Some(b"x"),
        Some(b"y"),
        Some(b"\xff"),
    ];
    let labels = [
        Some("latin1"),
        Some("shift_jis"),
        None,
        Some("wordperfect"),
        None,
        Some("big5"),
    ];
    let dictionary: DictionaryArray<Int32Type> = labels.into_iter().collect();
    let columns: [ArrayRef; 3] = [
        Arc::new(StringArray::from(labels.to_vec())),
        Arc::new(StringViewArray::from_iter(labels)),
        Arc::new(dictionary),
    ];
    for labels in columns {
        let raw = Arc::new(BinaryArray::from(raw.to_vec()));
        let context = with_table(vec![("raw", raw), ("label", labels)]);
        let sql = "select try_decode_text(raw, label) from t";
        assert_eq!(
            values(&context, sql).await.unwrap(),
            ["é", "文", "NULL", "NULL", "NULL", "NULL"]
        );
        let said = error(&context, "select decode_text(raw, label) from t").await;
        assert!(
            said.contains("unknown encoding in row 3: wordperfect"),
            "{said}"
        );
        let sql = "select decode_text(raw, label) from t where label is null";
        assert!(
            error(&context, sql)
                .await
                .contains("the label of row 1 is null")
        );
        let sql = "select decode_text(raw, label) from t where label = 'big5'";
        let said = error(&context, sql).await;
        assert!(
            said.contains("malformed sequence of 1 byte at byte offset 0 of row 0"),
            "{said}"
        );
        let sql = "select decode_text(raw, label, 'replace') from t where label = 'big5'";
        assert_eq!(values(&context, sql).await.unwrap(), ["\u{FFFD}"]);
        // Each row has its own label, and all rows have the same value.
        let sql = "select try_decode_text(x'e9', label) from t";
        assert_eq!(values(&context, sql).await.unwrap()[0], "é");
        let sql = "select try_encode_text('é', label) from t";
        assert_eq!(values(&context, sql).await.unwrap()[..2], ["e9", "NULL"]);
    }
}

#[tokio::test]
async fn detection_gives_labels() {
    let text = "これは日本語の文章です。ソースは表示できない。";
    let raw = [mojika::SHIFT_JIS, mojika::EUC_JP].map(|encoding| encoding.encode(text).unwrap());
    let raw = BinaryArray::from_iter_values(raw);
    let context = with_table(vec![("raw", Arc::new(raw))]);
    let sql = "select detect_encoding(raw) from t";
    assert_eq!(
        values(&context, sql).await.unwrap(),
        ["Shift_JIS", "EUC-JP"]
    );
    let sql = "select decode_text(raw, detect_encoding(raw)) from t";
    assert_eq!(values(&context, sql).await.unwrap(), [text, text]);
}

#[tokio::test]
async fn mistakes() {
    let context = context();
    for (sql, part) in [
        ("select decode_text(x'61')", "2 to 3 arguments"),
        (
            "select try_decode_text(x'61', 'big5', 'null')",
            "2 to 2 arguments",
        ),
        (
            "select decode_text(1, 'big5')",
            "argument 1 must be bytes, not Int64",
        ),
        (
            "select encode_text(x'61', 'big5')",
            "argument 1 must be text, not Binary",
        ),
        (
            "select decode_text(x'61', 2)",
            "argument 2 must be text, not Int64",
        ),
        ("select decode_text(x'61', 'big5', 'skip')", "not 'skip'"),
        (
            "select decode_text(x'61', 'wordperfect')",
            "unknown encoding in row 0: wordperfect",
        ),
        ("select encode_text('→', 'windows-1252')", "U+2192"),
        ("select encode_text('a', 'replacement')", "replacement"),
        (
            "select * from read_csv_text('none.csv', 'big5')",
            "none.csv",
        ),
        (
            "select * from read_csv_text('none.csv', 'wordperfect')",
            "unknown encoding: wordperfect",
        ),
        (
            "select * from read_csv_text('none.csv', 'auto', 'strict', 'often')",
            "confidence must be a probability",
        ),
        (
            "select * from read_csv_text('none.csv', 'big5', 'skip')",
            "not 'skip'",
        ),
        ("select * from read_csv_text(1, 'big5')", "no text literal"),
        (
            "select * from read_csv_text()",
            "takes path, label, errors and confidence",
        ),
    ] {
        let said = error(&context, sql).await;
        assert!(said.contains(part), "{sql}: {said}");
    }
}

/// A temporary folder for a test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("mojika-datafusion-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn a_csv_file_of_doubtful_encoding() {
    let folder = Folder::new("doubt");
    let path = folder.write("a.csv", b"name\ncaf\xE9\xA4\n");
    let context = context();
    let said = error(&context, &format!("select * from read_csv_text('{path}')")).await;
    assert!(said.contains("the encoding is doubtful: "), "{said}");
    let table = format!("read_csv_text('{path}', 'auto', 'strict', '0')");
    let sql = format!("select count(*) from {table}");
    assert_eq!(values(&context, &sql).await.unwrap(), ["1"]);
}

fn csv(rows: usize, encoding: &'static mojika::Encoding) -> Vec<u8> {
    let rows = (0..rows).map(|row| format!("文字{row}能,{row},{row}.5\n"));
    let text: String = std::iter::once("名前,値,比\n".to_owned())
        .chain(rows)
        .collect();
    encoding.encode(&text).unwrap().into_owned()
}

#[tokio::test]
async fn a_csv_file() {
    let folder = Folder::new("file");
    let path = folder.write("a.csv", &csv(30_000, mojika::SHIFT_JIS));
    let context = context();
    for label in [", 'shift_jis'", "", ", 'auto'", ", 'shift_jis', 'replace'"] {
        let table = format!("read_csv_text('{path}'{label})");
        let sql = format!("select sum(\"値\") from {table}");
        assert_eq!(values(&context, &sql).await.unwrap(), ["449985000"]);
        let sql = format!("select count(*) from {table}");
        assert_eq!(values(&context, &sql).await.unwrap(), ["30000"]);
        let sql = format!("select \"名前\" from {table} where \"比\" = 29999.5");
        assert_eq!(values(&context, &sql).await.unwrap(), ["文字29999能"]);
        let sql = format!("select \"名前\" from {table} limit 2");
        assert_eq!(
            values(&context, &sql).await.unwrap(),
            ["文字0能", "文字1能"]
        );
    }
}

#[tokio::test]
async fn a_folder_of_csv_files() {
    let folder = Folder::new("folder");
    for number in 0..5 {
        folder.write(&format!("{number}.csv"), &csv(1000, mojika::SHIFT_JIS));
    }
    folder.write("5.csv", &csv(1000, mojika::EUC_JP));
    folder.write(".hidden", b"\xff");
    let path = folder.0.display();
    let context = context();
    let sql = format!("select count(distinct \"名前\"), count(*) from read_csv_text('{path}')");
    assert_eq!(values(&context, &sql).await.unwrap(), ["1000"]);
    let sql = format!("select count(*) from read_csv_text('{path}')");
    assert_eq!(values(&context, &sql).await.unwrap(), ["6000"]);
    folder.write("6.csv", b"a,b\n1,2\n");
    assert!(error(&context, &sql).await.contains("has other columns"));
}

#[tokio::test]
async fn errors_in_a_file_say_where() {
    let folder = Folder::new("errors");
    let mut bytes = csv(5000, mojika::SHIFT_JIS);
    let at = bytes.len();
    bytes.extend_from_slice(b"\xff,1,1.0\n");
    let path = folder.write("bad.csv", &bytes);
    let context = context();
    let sql = format!("select * from read_csv_text('{path}', 'shift_jis')");
    let said = error(&context, &sql).await;
    assert!(
        said.contains("bad.csv") && said.contains(&at.to_string()),
        "{said}"
    );
    let sql = format!(
        "select \"名前\" from read_csv_text('{path}', 'shift_jis', 'replace') where \"値\" = 1 order by 1"
    );
    assert_eq!(
        values(&context, &sql).await.unwrap(),
        ["文字1能", "\u{FFFD}"]
    );
}
