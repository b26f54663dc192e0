//! SQL functions of mojika for Apache DataFusion.
//!
//! | function | gives |
//! |---|---|
//! | `decode_text(binary, label [, errors])` | text; `errors` is 'strict', 'replace' or 'null' |
//! | `try_decode_text(binary, label)` | text, null where it is malformed or the label unknown |
//! | `encode_text(text, label [, errors])` | bytes; `errors` is 'strict', 'html' or 'null' |
//! | `try_encode_text(text, label)` | bytes, null where a character is unmappable or the label unknown |
//! | `detect_encoding(binary)` | the name of an encoding |
//! | `read_csv_text(path [, label [, errors]])` | a table: the CSV file, or all those of a folder |
//!
//! Labels are those of the Encoding Standard and the other names that [`mojika::extended::find`] accepts. Each row may have
//! another label. Bytes and text may be in any Arrow layout, including dictionaries and views.
//!
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # #[tokio::main]
//! # async fn main() -> datafusion::error::Result<()> {
//! let context = SessionContext::new();
//! mojika_datafusion::register(&context);
//! let frame = context.sql("select decode_text(x'95b6', 'shift_jis') as text").await?;
//! assert!(frame.to_string().await?.contains('文'));
//! # Ok(())
//! # }
//! ```

mod csv;
mod scalar;

pub use csv::ReadCsvText;
pub use scalar::functions;

use datafusion::prelude::SessionContext;
use std::sync::Arc;

/// Registers all functions with a session.
pub fn register(context: &SessionContext) {
    for function in functions() {
        context.register_udf(function);
    }
    context.register_udtf(ReadCsvText::NAME, Arc::new(ReadCsvText));
}
