//! The scalar functions.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, StringArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{ScalarValue, exec_err, plan_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use mojika::{BomHandling, extended};
use mojika_arrow::{Decode, Encode, Failure, Labels, OnError};
use std::sync::Arc;

/// Returns the scalar functions, for a program that registers them itself.
pub fn functions() -> Vec<ScalarUDF> {
    let kinds = [
        Kind::Decode,
        Kind::TryDecode,
        Kind::Encode,
        Kind::TryEncode,
        Kind::Detect,
    ];
    let functions = kinds.map(|kind| {
        ScalarUDF::new_from_impl(Function {
            kind,
            signature: Signature::user_defined(Volatility::Immutable),
        })
    });
    functions.into()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Decode,
    TryDecode,
    Encode,
    TryEncode,
    Detect,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Function {
    kind: Kind,
    signature: Signature,
}

impl Function {
    /// Parses the word for the handling of a bad value, as an [`OnError`].
    fn on_error(&self, word: &str) -> Result<OnError> {
        Ok(match (self.kind, word) {
            (_, "strict" | "fatal") => OnError::Fail,
            (Kind::Decode, "replace" | "replacement") => OnError::Replace,
            (Kind::Encode, "html") => OnError::Replace,
            (_, "null") => OnError::Null,
            (kind, _) => {
                let replace = if kind == Kind::Decode {
                    "replace"
                } else {
                    "html"
                };
                return exec_err!(
                    "{}: errors must be 'strict', '{replace}' or 'null', not '{word}'",
                    self.name()
                );
            }
        })
    }

    /// Returns the error handling that the optional third argument selects.
    fn on_error_of(&self, argument: Option<&ColumnarValue>) -> Result<OnError> {
        match argument {
            None if matches!(self.kind, Kind::TryDecode | Kind::TryEncode) => Ok(OnError::Null),
            None => Ok(OnError::Fail),
            Some(ColumnarValue::Scalar(value)) => match value.try_as_str() {
                Some(Some(word)) => self.on_error(word),
                _ => exec_err!("{}: errors must be a word", self.name()),
            },
            // Another library may pass a literal as a column.
            Some(ColumnarValue::Array(words)) if words.is_empty() => Ok(OnError::Fail),
            Some(ColumnarValue::Array(words)) => {
                let first = ScalarValue::try_from_array(words, 0)?;
                for row in 1..words.len() {
                    if ScalarValue::try_from_array(words, row)? != first {
                        return exec_err!("{}: errors must be the same for all rows", self.name());
                    }
                }
                self.on_error_of(Some(&ColumnarValue::Scalar(first)))
            }
        }
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        match self.kind {
            Kind::Decode => "decode_text",
            Kind::TryDecode => "try_decode_text",
            Kind::Encode => "encode_text",
            Kind::TryEncode => "try_encode_text",
            Kind::Detect => "detect_encoding",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let counts = match self.kind {
            Kind::Decode | Kind::Encode => 2..=3,
            Kind::TryDecode | Kind::TryEncode => 2..=2,
            Kind::Detect => 1..=1,
        };
        if !counts.contains(&given.len()) {
            let (least, most) = (counts.start(), counts.end());
            return plan_err!(
                "{} takes {least} to {most} arguments, not {}",
                self.name(),
                given.len()
            );
        }
        let mut types = Vec::with_capacity(given.len());
        for (place, given) in given.iter().enumerate() {
            let is_bytes = place == 0 && !matches!(self.kind, Kind::Encode | Kind::TryEncode);
            let coerced = if is_bytes { bytes(given) } else { text(given) };
            match coerced {
                Some(coerced) => types.push(coerced),
                None => {
                    let wanted = if is_bytes { "bytes" } else { "text" };
                    return plan_err!(
                        "{}: argument {} must be {wanted}, not {given}",
                        self.name(),
                        place + 1
                    );
                }
            }
        }
        Ok(types)
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        match self.kind {
            Kind::Decode | Kind::TryDecode => {
                mojika_arrow::text_type(&arguments[0]).map_err(external)
            }
            Kind::Encode | Kind::TryEncode => {
                mojika_arrow::bytes_type(&arguments[0]).map_err(external)
            }
            Kind::Detect => Ok(DataType::Utf8),
        }
    }

    fn invoke_with_args(&self, call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arguments = &call.args;
        let is_scalar = |argument: &ColumnarValue| matches!(argument, ColumnarValue::Scalar(_));
        let all_scalar = arguments.iter().all(is_scalar);
        let rows = if all_scalar { 1 } else { call.number_rows };
        let data = arguments[0].to_array(rows)?;
        let result = match self.kind {
            Kind::Detect => detected(&data).map_err(external)?,
            Kind::Decode | Kind::TryDecode => {
                let work = Decode {
                    labels: labels(&arguments[1], rows)?,
                    on_error: self.on_error_of(arguments.get(2))?,
                    bom: BomHandling::Sniff,
                };
                work.decode(&data, 0).map_err(external)?
            }
            Kind::Encode | Kind::TryEncode => {
                let work = Encode {
                    labels: labels(&arguments[1], rows)?,
                    on_error: self.on_error_of(arguments.get(2))?,
                };
                work.encode(&data, 0).map_err(external)?
            }
        };
        Ok(if all_scalar {
            ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?)
        } else {
            ColumnarValue::Array(result)
        })
    }
}

/// Returns the bytes type for a type of bytes or text.
fn bytes(given: &DataType) -> Option<DataType> {
    Some(match given {
        DataType::Null | DataType::Utf8 => DataType::Binary,
        DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::Utf8View => DataType::BinaryView,
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => given.clone(),
        DataType::Dictionary(_, values) => match bytes(values)? {
            same if same == **values => given.clone(),
            other => other,
        },
        _ => return None,
    })
}

/// Returns a text type unchanged.
fn text(given: &DataType) -> Option<DataType> {
    Some(match given {
        DataType::Null => DataType::Utf8,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => given.clone(),
        DataType::Dictionary(_, values) if text(values).as_ref() == Some(values) => given.clone(),
        _ => return None,
    })
}

/// Returns the encodings of a column of labels, or of one label for all rows.
fn labels(argument: &ColumnarValue, rows: usize) -> Result<Labels> {
    if let ColumnarValue::Scalar(label) = argument
        && let Some(Some(label)) = label.try_as_str()
        && let Some(encoding) = extended::find(label)
    {
        return Ok(Labels::All(encoding));
    }
    Labels::of(&[argument.to_array(rows)?], extended::find).map_err(external)
}

/// Returns the names of the values' encodings.
fn detected(data: &ArrayRef) -> Result<ArrayRef, Failure> {
    let structs = mojika_arrow::detect(data)?;
    let structs = structs.as_struct();
    let names: &StringArray = structs.column(0).as_string();
    debug_assert_eq!(names.len(), data.len());
    Ok(Arc::new(names.clone()))
}

fn external(failure: Failure) -> DataFusionError {
    DataFusionError::Execution(format!("mojika: {failure}"))
}
