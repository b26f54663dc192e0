//! `mojika mcp`: reads and changes a folder's files for a program, by the Model Context Protocol.
//!
//! The transport is the protocol's "stdio" (revision 2025-06-18): one JSON-RPC message a line. There are four tools and
//! no other feature, so this is a loop over `serde_json`: the protocol's crate, `rmcp`, brings an asynchronous runtime and
//! some 70 crates for it.
//!
//! A path is one below the folder. It is opened from the open folder on, component by component, and no symbolic link is
//! followed, so that nothing that changes meanwhile leads out of it.

use super::args::McpArgs;
use super::change::{self, Change};
use super::changed::Changed;
use super::file::{Choice, Fingerprint, Opened};
use super::how::{HowArgs, SizeArgs};
use crate::decide;
use crate::job::folder::Folder;
use crate::labels;
use crate::report::Failure;
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The revisions that are spoken, the latest first; these four tools are the same in each.
const REVISIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];

/// Bytes of a message, at most.
const LONGEST: u64 = 64 << 20;

/// Error codes of JSON-RPC 2.0, section 5.1.
const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;

/// The folder and what may be done in it.
struct Server {
    root: Folder,
    /// For absolute paths, which have to begin with it.
    root_path: PathBuf,
    choice: Choice,
    read_only: bool,
    size: SizeArgs,
}

/// Serves until standard input ends; returns the exit status.
///
/// # Errors
///
/// Fails if the folder cannot be opened, or standard output is gone.
pub fn run(args: &McpArgs) -> Result<u8, Failure> {
    super::watch()?;
    let name = crate::quote::quote(&args.root);
    let unreadable = |error| Failure::io("open", name.clone(), error);
    let server = Server {
        root: Folder::open(&args.root).map_err(unreadable)?,
        root_path: args.root.canonicalize().map_err(unreadable)?,
        choice: args.encoding.choice()?,
        read_only: args.read_only,
        size: args.size,
    };
    let mut stdin = io::stdin().lock();
    let mut stdout = io::stdout().lock();
    loop {
        let mut line = Vec::new();
        let read = (&mut stdin).take(LONGEST).read_until(b'\n', &mut line);
        let length = read.map_err(|error| Failure::io("read", "standard input", error))?;
        if length == 0 {
            return Ok(0);
        }
        if length as u64 == LONGEST {
            let error = io::Error::other(format!("a message has more than {LONGEST} bytes"));
            return Err(Failure::io("read", "standard input", error));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        if let Some(answer) = server.answer(&line) {
            let written = writeln!(stdout, "{answer}").and_then(|()| stdout.flush());
            written.map_err(|error| Failure::write("standard output", error))?;
        }
    }
}

/// An answer that is an error of the protocol.
fn error(id: &Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

impl Server {
    /// The answer to a message; `None` to a notification.
    fn answer(&self, line: &[u8]) -> Option<Value> {
        let message: Value = match serde_json::from_slice(line) {
            Ok(message) => message,
            Err(wrong) => return Some(error(&Value::Null, PARSE_ERROR, &wrong.to_string())),
        };
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            // An answer to a request that was never made, or no message of the protocol.
            let is_answer = message.get("result").or(message.get("error")).is_some();
            let id = message.get("id").unwrap_or(&Value::Null);
            return (!is_answer).then(|| error(id, INVALID_REQUEST, "the request has no method"));
        };
        let id = message.get("id")?;
        let params = message.get("params").unwrap_or(&Value::Null);
        let result = match method {
            "initialize" => initialized(params),
            "ping" => json!({}),
            "tools/list" => json!({"tools": self.tools()}),
            "tools/call" => match self.call(params) {
                Ok(result) => result,
                Err(wrong) => return Some(error(id, INVALID_PARAMS, &wrong)),
            },
            _ => {
                return Some(error(
                    id,
                    METHOD_NOT_FOUND,
                    &format!("no method {method:?}"),
                ));
            }
        };
        Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
    }

    /// The tools, as the protocol describes them.
    fn tools(&self) -> Vec<Value> {
        let path = ("path", "string", "The file, below the folder");
        let from = (
            "from",
            "string",
            "Label of the file's encoding; without it, it is found, and doubt is an error",
        );
        let mut tools = vec![
            tool(
                "read",
                "The text of a file in any encoding, with the fingerprint that write needs. U+FFFD stands for malformed \
                 bytes: leave it as it is.",
                true,
                &[path],
                &[
                    from,
                    ("first_line", "integer", "Line to begin with, from 1"),
                    ("lines", "integer", "Lines at most"),
                ],
            ),
            tool(
                "detect",
                "The encoding of a file, why, and the candidates where it is doubtful.",
                true,
                &[path],
                &[],
            ),
        ];
        if !self.read_only {
            tools.push(tool(
                "replace",
                "Replace a text in a file; every other byte stays. The text must be there exactly once, unless all is true.",
                false,
                &[
                    path,
                    ("old", "string", "The text"),
                    ("new", "string", "What to put in its place"),
                ],
                &[from, ("all", "boolean", "Replace it wherever it is")],
            ));
            tools.push(tool(
                "write",
                "Give a file a whole new text; the bytes of all that is the same stay.",
                false,
                &[
                    path,
                    ("text", "string", "The text"),
                    ("expect", "string", "The fingerprint that read has given"),
                ],
                &[],
            ));
        }
        tools
    }

    /// Calls a tool. What it says is for the program's model, also where it fails.
    fn call(&self, params: &Value) -> Result<Value, String> {
        let name = params.get("name").and_then(Value::as_str);
        let name = name.ok_or("the call names no tool")?;
        let arguments = Arguments(params.get("arguments").unwrap_or(&Value::Null));
        let result = match name {
            "read" => self.read(&arguments),
            "detect" => self.detect(&arguments),
            "replace" if !self.read_only => self.replace(&arguments),
            "write" if !self.read_only => self.write(&arguments),
            _ => return Err(format!("no tool {name:?}")),
        };
        let (text, is_error) = match result {
            Ok(text) => (text, false),
            Err(failure) => (failure.message().unwrap_or_default(), true),
        };
        Ok(json!({"content": [{"type": "text", "text": text}], "isError": is_error}))
    }

    fn read(&self, arguments: &Arguments<'_>) -> Result<String, Failure> {
        let opened = self.open(arguments.text("path")?, &self.choice(arguments)?)?;
        let document = opened.document()?;
        let first = arguments.number("first_line")?.unwrap_or(1).max(1) as usize;
        let lines = arguments
            .number("lines")?
            .map_or(usize::MAX, |n| n as usize);
        let text: String = document
            .text()
            .split_inclusive('\n')
            .skip(first - 1)
            .take(lines)
            .collect();
        Ok(json!({
            "encoding": document.encoding().name(),
            "why": opened.why(),
            "fingerprint": opened.fingerprint()?.to_string(),
            "line_ends": change::line_ends(document.line_ends()),
            "text": text,
        })
        .to_string())
    }

    fn detect(&self, arguments: &Arguments<'_>) -> Result<String, Failure> {
        let path = arguments.text("path")?;
        // What is doubtful is an answer here.
        let question = match &self.choice {
            Choice::Auto(question) => (**question).clone(),
            Choice::Named(_) => decide::Question {
                confidence: 0.9,
                ..decide::Question::default()
            },
        };
        let opened = self.open(path, &Choice::Named(mojika::UTF_8))?;
        let decided = question.of_bytes(Some(Path::new(path)), opened.bytes()?);
        if let Some(failure) = crate::stream::refused(&decided, opened.name()) {
            return Ok(failure.message().unwrap_or_default());
        }
        Ok(match decided.decision() {
            Some(decision) => format!("{} ({})", decision.encoding, decision.source),
            None => "unknown".to_owned(),
        })
    }

    fn replace(&self, arguments: &Arguments<'_>) -> Result<String, Failure> {
        let (old, new) = (arguments.text("old")?, arguments.text("new")?);
        let is_all = arguments.0.get("all").and_then(Value::as_bool) == Some(true);
        let change = Change::replace(old, new, is_all)?;
        let opened = self.open(arguments.text("path")?, &self.choice(arguments)?)?;
        let changed = change::apply(&opened, &change, &HowArgs::default())?;
        finish(&opened, &changed)
    }

    fn write(&self, arguments: &Arguments<'_>) -> Result<String, Failure> {
        let expected = Fingerprint::parse(arguments.text("expect")?)?;
        let opened = self.open(arguments.text("path")?, &Choice::Named(expected.encoding))?;
        opened.expect(&expected)?;
        let changed = change::whole(&opened, arguments.text("text")?, &HowArgs::default())?;
        finish(&opened, &changed)
    }

    fn choice(&self, arguments: &Arguments<'_>) -> Result<Choice, Failure> {
        match arguments.0.get("from").and_then(Value::as_str) {
            None | Some("auto") => Ok(self.choice.clone()),
            Some(label) => Ok(Choice::Named(labels::find(label)?)),
        }
    }

    /// Opens a file below the folder.
    fn open(&self, path: &str, choice: &Choice) -> Result<Opened, Failure> {
        let named = Path::new(path);
        let outside = || Failure::Refused {
            name: crate::quote::quote(named),
            reason: "is not below the folder that is served".into(),
        };
        let relative = match named.is_absolute() {
            true => named.strip_prefix(&self.root_path).map_err(|_| outside())?,
            false => named,
        };
        let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if !relative.components().all(is_below) {
            return Err(outside());
        }
        let Some(name) = relative.file_name() else {
            return Err(outside());
        };
        let unreadable = |error| Failure::io("open", crate::quote::quote(named), error);
        let parent = relative.parent().unwrap_or(Path::new(""));
        let folder = self.root.within(parent).map_err(unreadable)?;
        Opened::open_in(Arc::new(folder), name, relative, choice, self.size)
    }
}

fn finish(opened: &Opened, changed: &Changed) -> Result<String, Failure> {
    opened.write(&changed.patches, false)?;
    Ok(changed.summary(opened, false))
}

fn initialized(params: &Value) -> Value {
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let revision = REVISIONS
        .into_iter()
        .find(|revision| asked == Some(revision));
    json!({
        "protocolVersion": revision.unwrap_or(REVISIONS[0]),
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "mojika", "version": env!("CARGO_PKG_VERSION")},
        "instructions": "Reads and edits text files in any encoding. An edit changes its own bytes alone.",
    })
}

/// A tool with its required and its other parameters: name, type, description.
fn tool(
    name: &str,
    description: &str,
    is_read_only: bool,
    required: &[(&str, &str, &str)],
    others: &[(&str, &str, &str)],
) -> Value {
    let properties: serde_json::Map<_, _> = required
        .iter()
        .chain(others)
        .map(|(name, kind, description)| {
            let value = json!({"type": kind, "description": description});
            ((*name).to_owned(), value)
        })
        .collect();
    let required: Vec<_> = required.iter().map(|(name, ..)| *name).collect();
    json!({
        "name": name,
        "description": description,
        "inputSchema": {"type": "object", "properties": properties, "required": required},
        "annotations": {"readOnlyHint": is_read_only, "openWorldHint": false},
    })
}

/// What a tool is called with.
struct Arguments<'a>(&'a Value);

impl<'a> Arguments<'a> {
    fn text(&self, name: &str) -> Result<&'a str, Failure> {
        let text = self.0.get(name).and_then(Value::as_str);
        text.ok_or_else(|| Failure::Usage(format!("{name} has to be a string")))
    }

    fn number(&self, name: &str) -> Result<Option<u64>, Failure> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64() {
                Some(number) => Ok(Some(number)),
                None => Err(Failure::Usage(format!("{name} has to be a whole number"))),
            },
        }
    }
}
