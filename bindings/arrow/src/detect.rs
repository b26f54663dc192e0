//! Detects the encodings of columns of bytes, with the reason.

use crate::{Failure, rows};
use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{DataType, Field, Fields};
use mojika_sniff::judge::{Judgement, Policy, judge};
use mojika_sniff::{Context, Decision, Hints};
use std::sync::Arc;

/// Returns the judgement on a document or its beginning, without hints. The command decides likewise for a file with an
/// uninformative name.
pub fn judged(bytes: &[u8]) -> Judgement {
    judged_by(bytes, None, Policy::default())
}

/// [`judged`] with a locale and a policy.
pub fn judged_by(bytes: &[u8], locale: Option<&str>, mut policy: Policy<'_>) -> Judgement {
    let hints = Hints {
        locale,
        ..Hints::new(Context::of_content(bytes))
    };
    judge(bytes, &hints, &policy).unwrap_or_else(|_| {
        // Treat contradictory XML as browsers do.
        policy.like_browsers = true;
        judge(bytes, &hints, &policy).unwrap_or_else(|_| Judgement::utf_8())
    })
}

/// Returns the decision of [`judged`].
pub fn plain_text(bytes: &[u8]) -> Decision {
    judged(bytes).decision
}

/// Returns the fields of [`detect`]: encoding, source, certainty.
pub fn fields() -> Fields {
    let names = ["encoding", "source", "certainty"];
    names
        .map(|name| Field::new(name, DataType::Utf8, true))
        .to_vec()
        .into()
}

/// Returns the encoding of each row of a column of bytes, as structs of [`fields`]: the encoding's name, its origin,
/// and the certainty.
pub fn detect(chunk: &ArrayRef) -> Result<ArrayRef, Failure> {
    let chunk = &rows::plain(chunk).map_err(Failure::Type)?;
    let value = rows::values(chunk).ok_or_else(|| Failure::Type(chunk.data_type().clone()))?;
    let mut columns = [
        StringBuilder::new(),
        StringBuilder::new(),
        StringBuilder::new(),
    ];
    for row in 0..chunk.len() {
        let words = chunk.is_valid(row).then(|| {
            let decision = plain_text(value(row));
            [
                decision.encoding.name(),
                decision.source.as_str(),
                decision.confidence.as_str(),
            ]
        });
        for (index, column) in columns.iter_mut().enumerate() {
            column.append_option(words.map(|words| words[index]));
        }
    }
    let columns = columns.map(|mut column| Arc::new(column.finish()) as ArrayRef);
    let nulls = chunk.nulls().cloned();
    Ok(Arc::new(StructArray::new(
        fields(),
        columns.to_vec(),
        nulls,
    )))
}
