//! Writes entries to files. A file appears only when it is complete.

use super::entries::{Archive, ListedEntry};
use mojika_convert::bounded;
use mojika_convert::engine::{self, Format};
use mojika_convert::job::draft::{Access, Draft};
use mojika_convert::job::output_tree::OutputTree;
use mojika_convert::job::signals;
use rawzip::{CompressionMethod, FileReader, ZipEntry, ZipReader};
use std::fs::{FileTimes, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The number of bytes to write at once.
const WRITE_LENGTH: usize = 64 << 10;

/// Writes entries to files, and counts the bytes.
pub struct Extractor<'a> {
    archive: &'a Archive,
    tree: OutputTree,
    /// The number of bytes that may still be written.
    left: u64,
    most: u64,
    /// The ranges of the archive that have been extracted, in order.
    ranges: Vec<(u64, u64)>,
}

impl<'a> Extractor<'a> {
    /// Creates the output folder. At most `most` bytes are written to it.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created.
    pub fn new(archive: &'a Archive, folder: &Path, most: u64) -> io::Result<Self> {
        Ok(Self {
            archive,
            tree: OutputTree::new(folder, None)?,
            left: most,
            most,
            ranges: Vec::new(),
        })
    }

    /// Extracts an entry that is not refused.
    ///
    /// # Errors
    ///
    /// Returns the reason if the entry is not extracted; its output is then removed.
    pub fn extract(&mut self, entry: &ListedEntry) -> Result<(), String> {
        let cannot = |action: &str, error: io::Error| format!("cannot {action}: {error}");
        let folder = |path: &Path| {
            let made = self.tree.make(path, None, None);
            made.map_err(|error| cannot("create its folder", error))
        };
        if entry.is_folder {
            return folder(&entry.path).map(drop);
        }
        if entry.size > self.left {
            return Err(format!(
                "with it, more than {} bytes would be written; --max-size allows more",
                self.most
            ));
        }
        let (Some(parent), Some(name)) = (entry.path.parent(), entry.path.file_name()) else {
            return Err("the name is empty".to_owned());
        };
        let damaged = |error: rawzip::Error| format!("the archive is damaged there: {error}");
        let found = self.archive.get_entry(entry.way).map_err(damaged)?;
        let place = place(&mut self.ranges, found.compressed_data_range())?;
        let folder = folder(parent)?;
        if folder.has(name) {
            return Err(
                "the output exists and is not replaced; extract to another folder".to_owned(),
            );
        }
        let created = Draft::create_named(&folder, name, false, Access::New);
        let draft = created.map_err(|error| cannot("create a file", error))?;
        let data = reader(&found, entry.method)?;
        let mut data = found.verifying_reader(data);
        let mut buffer = vec![0; WRITE_LENGTH];
        loop {
            if signals::stopped() {
                return Err("interrupted".to_owned());
            }
            let read = match bounded::read(&mut data, &mut buffer) {
                Ok(0) => break,
                Ok(read) => read as u64,
                Err(error) => return Err(format!("its data is damaged: {error}")),
            };
            // More data than the declared size is damage, which the reader reports.
            self.left = self.left.saturating_sub(read);
            let written = draft.file().write_all(&buffer[..read as usize]);
            written.map_err(|error| cannot("write", error))?;
        }
        attributes(&draft, entry).map_err(|error| cannot("set mode and time", error))?;
        draft.commit().map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                "the output exists and is not replaced; extract to another folder".to_owned()
            }
            _ => cannot("create the file", error),
        })?;
        self.ranges.insert(place, found.compressed_data_range());
        Ok(())
    }
}

/// Returns the index at which a range of the archive belongs among the extracted ranges. Overlapping ranges are
/// refused, because they let a small archive expand to a large output.
fn place(ranges: &mut [(u64, u64)], range: (u64, u64)) -> Result<usize, String> {
    let at = ranges.partition_point(|&(start, _)| start < range.0);
    let is_after = at == 0 || ranges[at - 1].1 <= range.0;
    let is_before = ranges.get(at).is_none_or(|&(start, _)| range.1 <= start);
    match (is_after && is_before) || range.0 == range.1 {
        true => Ok(at),
        false => Err(
            "it shares its data with another entry, as in archives that are made to fill disks"
                .to_owned(),
        ),
    }
}

fn reader<'e>(
    entry: &ZipEntry<'e, FileReader>,
    method: CompressionMethod,
) -> Result<Box<dyn Read + Send + 'e>, String> {
    let data: ZipReader<&'e FileReader> = entry.reader();
    let as_format = |format| {
        let opened = engine::decompressor(format, data.clone());
        opened.map_err(|error| format!("its data is damaged: {error}"))
    };
    match method {
        CompressionMethod::STORE => Ok(Box::new(data)),
        CompressionMethod::DEFLATE => Ok(Box::new(flate2::read::DeflateDecoder::new(data))),
        CompressionMethod::BZIP2 => as_format(Format::Bzip2),
        CompressionMethod::ZSTD | CompressionMethod::ZSTD_DEPRECATED => as_format(Format::Zstd),
        CompressionMethod::XZ => as_format(Format::Xz),
        other => Err(format!(
            "it is compressed with {}, which nothing here reads",
            other
                .name()
                .map_or_else(|| format!("method {}", other.as_u16()), str::to_owned)
        )),
    }
}

/// Sets the executable bits, and the time if the archive states it.
fn attributes(draft: &Draft, entry: &ListedEntry) -> io::Result<()> {
    let file = draft.file();
    if entry.is_executable {
        let mode = file.metadata()?.permissions().mode() & 0o777;
        // Everyone who may read the file may also execute it.
        file.set_permissions(Permissions::from_mode(mode | (mode & 0o444) >> 2))?;
    }
    if let Some(seconds) = entry.modified {
        let span = Duration::from_secs(seconds.unsigned_abs());
        let time: Option<SystemTime> = match seconds < 0 {
            true => UNIX_EPOCH.checked_sub(span),
            false => UNIX_EPOCH.checked_add(span),
        };
        if let Some(time) = time {
            file.set_times(FileTimes::new().set_modified(time))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn data_that_overlaps_is_refused() {
        let mut ranges = vec![(10, 20), (30, 40)];
        for (range, at) in [
            ((0, 10), Some(0)),
            ((20, 30), Some(1)),
            ((40, 50), Some(2)),
            ((25, 25), Some(1)),
        ] {
            assert_eq!(super::place(&mut ranges, range).ok(), at, "{range:?}");
        }
        for range in [(0, 11), (19, 21), (10, 20), (12, 15), (0, 100), (35, 60)] {
            assert!(super::place(&mut ranges, range).is_err(), "{range:?}");
        }
    }
}
