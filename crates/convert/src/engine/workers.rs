//! Threads that read, convert and write blocks in turn.
//!
//! Each worker reads a block under one lock, converts it without a lock, and waits for its turn to write it under another
//! lock. So reading, converting and writing overlap without separate threads, and each worker has one block in memory.

use super::blocks::{Block, Blocks};
use super::coder::{Coder, Converted, Located};
use super::mixed::MAX_CHANGES;
use super::position::Position;
use super::split::Points;
use super::start::Start;
use super::{BLOCK, BomMode, Change, Failure, From, Input, Options, Outcome, Trouble};
use mojika_sniff::Source;
use std::cell::RefCell;
use std::io::Write;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

thread_local! {
    /// The buffers of this thread's last conversion, which the next one reuses: many small files share them.
    static BUFFERS: RefCell<Option<Buffers>> = const { RefCell::new(None) };
}

/// The memory of one worker.
#[derive(Default)]
struct Buffers {
    input: Vec<u8>,
    converted: Converted,
    /// The coder at the end of the last block, if one thread converts all blocks: a channel for each block costs more
    /// than a short line.
    coder: Option<Box<Coder>>,
}

/// The source of blocks.
struct BlockSource<'a> {
    blocks: Blocks<'a>,
    /// Receives the coder of the last block; `None` if the next block starts with a new coder.
    before: Option<Receiver<Box<Coder>>>,
    /// True if several threads convert blocks.
    is_shared: bool,
}

/// The destination of blocks.
struct Sink<'o, 't> {
    output: &'o mut (dyn Write + Send),
    on_trouble: &'t mut (dyn FnMut(&Trouble) + Send),
    /// The number of the block to be written next.
    turn: u64,
    position: Position,
    outcome: Outcome,
    /// True if no further block may be converted.
    stopped: bool,
    failure: Option<Failure>,
}

/// The state that the workers of one input share.
struct Shared<'i, 'o, 't, 'p> {
    source: Mutex<BlockSource<'i>>,
    sink: Mutex<Sink<'o, 't>>,
    written: Condvar,
    start: Start,
    options: &'p Options,
    threads: usize,
    /// True to write output immediately.
    prompt: bool,
}

/// A block, and the coders at its start and end.
struct Task {
    block: Block,
    /// The number of bytes at the start of the block that the decoder skips.
    skip: usize,
    /// Receives the coder of the previous block; `None` if the block starts with a new coder.
    before: Option<Receiver<Box<Coder>>>,
    after: Option<SyncSender<Box<Coder>>>,
}

pub fn convert(
    input: Input<'_>,
    output: &mut (dyn Write + Send),
    options: &Options,
    on_trouble: &mut (dyn FnMut(&Trouble) + Send),
) -> (Outcome, Result<(), Failure>) {
    let threads = jobs(options.threads);
    convert_blocks(input, output, options, on_trouble, threads, BLOCK)
}

/// Converts as [`convert`] does, with blocks of another size.
pub(super) fn convert_blocks(
    input: Input<'_>,
    output: &mut (dyn Write + Send),
    options: &Options,
    on_trouble: &mut (dyn FnMut(&Trouble) + Send),
    threads: usize,
    block_size: usize,
) -> (Outcome, Result<(), Failure>) {
    let mut outcome = Outcome::default();
    if let Err(failure) = options.check() {
        return (outcome, Err(failure));
    }

    let mut buffers = BUFFERS.take().unwrap_or_default();
    buffers.coder = None;
    let has_turn = input.turn.is_some();
    let threads = if has_turn { 1 } else { threads };
    // A single thread may write at once; with several threads, blocks are filled before they are converted.
    let prompt = input.prompt && threads == 1;
    let fill = !prompt && !has_turn;
    let mut blocks = Blocks::new(input, fill, block_size);
    let mut block = blocks.first(&mut buffers.input);
    let start = Start::of(&buffers.input[..block.len], options);
    outcome.encoding = Some(start.encoding);
    outcome.why = start.why;
    let skip = start.bom_length + start.malformed;
    if matches!(options.from, From::Decided(_)) && start.encoding.is_ascii_compatible() {
        let first = &buffers.input[..block.len];
        blocks.has_nul = Some(memchr::memchr(0, first).is_some());
    }

    let stateless_output = !options.to.is_stateful();
    if threads > 1 && !block.last && stateless_output {
        // A block can start with a new coder only if the previous block's shaper does not hold text back.
        if options.shape.form.is_none() {
            blocks.cut_at(Points::of(start.encoding));
        }
        blocks.cut(&mut block, &buffers.input, skip);
    }
    let alone = block.last || block.failure.is_some();
    let shared = Shared {
        source: Mutex::new(BlockSource {
            blocks,
            before: None,
            is_shared: threads > 1,
        }),
        sink: Mutex::new(Sink {
            output,
            on_trouble,
            turn: 0,
            position: Position::default(),
            outcome,
            stopped: false,
            failure: None,
        }),
        written: Condvar::new(),
        start,
        options,
        threads,
        prompt,
    };

    let adds_bom = match options.bom {
        BomMode::Add => true,
        BomMode::Strip | BomMode::None | BomMode::Ignore => false,
        BomMode::Keep => start.bom_length > 0 && options.to.bom().is_some(),
    };
    if adds_bom {
        let bom = options.to.encode("\u{FEFF}").unwrap_or_default();
        lock(&shared.sink).write(&bom);
    }
    let first = lock(&shared.source).task(block, skip);
    if threads == 1 || alone {
        work(&shared, Some(first), &mut buffers);
    } else {
        thread::scope(|scope| {
            for _ in 1..threads {
                let body = || work(&shared, None, &mut Buffers::default());
                // If the system refuses a thread, the result is the same with fewer threads.
                if thread::Builder::new().spawn_scoped(scope, body).is_err() {
                    break;
                }
            }
            work(&shared, Some(first), &mut buffers);
        });
    }
    BUFFERS.set(Some(buffers));

    let source = lock(&shared.source);
    let (bytes_in, has_nul) = (source.blocks.bytes_read(), source.blocks.has_nul);
    drop(source);
    let mut sink = shared
        .sink
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    if let Err(error) = sink.output.flush() {
        sink.failure.get_or_insert(Failure::Write(error));
    }
    sink.outcome.bytes_in = bytes_in;
    sink.outcome.has_nul = has_nul == Some(true);
    (sink.outcome, sink.failure.map_or(Ok(()), Err))
}

/// Converts blocks until the input ends, `task` first.
fn work(shared: &Shared<'_, '_, '_, '_>, mut task: Option<Task>, buffers: &mut Buffers) {
    let _guard = OnPanic(shared);
    loop {
        let now = match task.take() {
            Some(task) => task,
            None => {
                let mut source = lock(&shared.source);
                let Some(block) = source.blocks.next(&mut buffers.input) else {
                    return;
                };
                source.task(block, 0)
            }
        };
        if !convert_block(shared, now, buffers) {
            return;
        }
    }
}

/// Ends the other workers if one panics, because they would wait forever for it to write its block.
struct OnPanic<'s, 'i, 'o, 't, 'p>(&'s Shared<'i, 'o, 't, 'p>);

impl Drop for OnPanic<'_, '_, '_, '_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.sink).stopped = true;
            self.0.written.notify_all();
        }
    }
}

/// Converts and writes one block; returns false at the end.
fn convert_block(shared: &Shared<'_, '_, '_, '_>, task: Task, buffers: &mut Buffers) -> bool {
    let Task {
        block,
        skip,
        before,
        after,
    } = task;
    let coder = match before {
        Some(before) => before.recv().ok(),
        None if let Some(coder) = buffers.coder.take() => Some(coder),
        None => {
            // The decoder skips the byte order mark, but offsets include it.
            let coder = Coder::new(
                shared.start.encoding,
                shared.start.assumed,
                shared.options,
                block.offset + skip as u64,
            );
            let coder = match block.number {
                0 => coder.map(|coder| coder.after_malformed(shared.start.malformed)),
                _ => coder,
            };
            coder.map(Box::new)
        }
    };
    // If no coder arrives, the previous block has ended the conversion.
    let converted = coder.map(|mut coder| {
        let bytes = &buffers.input[..block.len];
        coder.convert(bytes, skip, &block, &mut buffers.converted);
        match after {
            _ if buffers.converted.stopped => {}
            // Sending fails only if the conversion has ended.
            Some(after) => drop(after.send(coder)),
            None if shared.threads == 1 => buffers.coder = Some(coder),
            None => {}
        }
    });

    let mut sink = lock(&shared.sink);
    while sink.turn != block.number && !sink.stopped {
        sink = shared
            .written
            .wait(sink)
            .unwrap_or_else(PoisonError::into_inner);
    }
    if let Some((encoding, why)) = block.turned {
        let line = sink.position.lines + 1;
        let outcome = &mut sink.outcome;
        (outcome.encoding, outcome.why) = (Some(encoding), why);
        if let From::Mixed(other, _) = shared.options.from
            && why != Source::Bom.as_str()
        {
            outcome.encoding = Some(other);
            outcome.change_count += 1;
            if outcome.changes.len() < MAX_CHANGES {
                outcome.changes.push(Change {
                    offset: block.offset,
                    line,
                    encoding,
                });
            }
        }
    }
    if converted.is_some() && !sink.stopped {
        sink.take(&buffers.converted, shared.start.assumed);
        if let Some(failure) = block.failure
            && !sink.stopped
        {
            sink.fail(failure);
        }
        if shared.prompt && !block.last && block.len < BLOCK && !sink.stopped {
            // Pass on the available output before waiting for more input.
            sink.flush();
        }
    }
    sink.turn += 1;
    let go_on = !sink.stopped;
    drop(sink);
    if shared.threads > 1 {
        shared.written.notify_all();
    }
    go_on
}

impl BlockSource<'_> {
    /// Creates the task for a block. A channel passes the coder from each block to the next one if necessary.
    fn task(&mut self, block: Block, skip: usize) -> Task {
        let before = self.before.take();
        let is_end = block.last || block.neutral_end || block.failure.is_some();
        let after = if is_end || !self.is_shared {
            None
        } else {
            // An unbounded channel would allocate memory for 31 coders.
            let (sender, receiver) = sync_channel(1);
            self.before = Some(receiver);
            Some(sender)
        };
        Task {
            block,
            skip,
            before,
            after,
        }
    }
}

impl Sink<'_, '_> {
    fn take(&mut self, converted: &Converted, assumed: bool) {
        self.write(&converted.bytes[..converted.filled]);
        self.outcome.substituted += converted.substituted;
        self.outcome.seen += converted.seen;
        for found in &converted.troubles {
            let trouble = self.place(found);
            match found.kind {
                super::TroubleKind::Malformed => self.outcome.malformed += 1,
                super::TroubleKind::Unmappable(_) => self.outcome.unmappable += 1,
            }
            (self.on_trouble)(&trouble);
            self.outcome.first_error.get_or_insert(trouble);
        }
        if converted.stopped
            && let Some(found) = converted.troubles.last()
        {
            let trouble = self.place(found);
            let is_unknown = assumed && trouble.kind == super::TroubleKind::Malformed;
            self.fail(match is_unknown {
                true => Failure::UnknownSource(trouble),
                false => Failure::Trouble(trouble),
            });
        }
        self.position = self.position.plus(converted.end);
    }

    /// Returns the trouble of a block, with its position in the input. The block starts at `position`.
    fn place(&self, found: &Located) -> Trouble {
        let place = self.position.plus(Position {
            lines: found.lines.into(),
            // The column of text that was held back is negative, because the text is before the block.
            column: found.column as u64,
        });
        Trouble {
            kind: found.kind,
            offset: found.offset,
            line: place.lines + 1,
            column: place.column + 1,
            bytes: found.bytes[..usize::from(found.len)].to_vec(),
            encoding: found.encoding,
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        match self.output.write_all(bytes) {
            Ok(()) => self.outcome.bytes_out += bytes.len() as u64,
            Err(error) => self.fail(Failure::Write(error)),
        }
    }

    fn flush(&mut self) {
        if let Err(error) = self.output.flush() {
            self.fail(Failure::Write(error));
        }
    }

    fn fail(&mut self, failure: Failure) {
        self.stopped = true;
        self.failure.get_or_insert(failure);
    }
}

/// The maximum number of threads. More threads need time and memory without being faster.
const MOST_THREADS: usize = 256;

/// Returns the number of threads for a requested number; 0 means one per processor.
pub fn jobs(asked: usize) -> usize {
    match asked {
        0 => thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs.min(MOST_THREADS),
    }
}

/// Calls `body` on `jobs` threads including this one, or on fewer if the system refuses more.
pub fn on_threads(jobs: usize, body: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        for _ in 1..jobs {
            if thread::Builder::new().spawn_scoped(scope, body).is_err() {
                break;
            }
        }
        body();
    });
}

/// Locks, ignoring poisoning: a thread that panics leaves no relevant state incomplete.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
