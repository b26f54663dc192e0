//! Zip archives, built byte by byte by APPNOTE.TXT.

use flate2::Compression;
use flate2::Crc;
use flate2::write::DeflateEncoder;
use std::io::Write;

/// An archive entry, with the fields that the archive states about it.
#[derive(Clone)]
pub struct Entry {
    pub name: Vec<u8>,
    /// Bit 11 means that the name is UTF-8, bit 0 that the entry is encrypted.
    pub flags: u16,
    pub extra: Vec<u8>,
    pub data: Vec<u8>,
    pub is_deflated: bool,
    /// The size stated by the archive, if it is wrong.
    pub size: Option<u32>,
    /// The Unix mode, with the file type.
    pub mode: u32,
    /// The DOS attributes, for an entry that is marked as made on DOS.
    pub dos: Option<u8>,
    /// The index of another entry whose data this entry shares.
    pub same_data: Option<usize>,
}

/// Returns a file entry with this data.
pub fn file(name: &[u8], data: &[u8]) -> Entry {
    Entry {
        name: name.to_vec(),
        flags: 0,
        extra: Vec::new(),
        data: data.to_vec(),
        is_deflated: true,
        size: None,
        mode: 0o100_644,
        dos: None,
        same_data: None,
    }
}

/// Returns Info-ZIP's extra field "Unicode Path" for an entry with this name.
pub fn unicode_path(name: &[u8], text: &str) -> Vec<u8> {
    let mut crc = Crc::new();
    crc.update(name);
    let length = u16::try_from(5 + text.len()).unwrap();
    let mut field = vec![0x75, 0x70];
    field.extend(length.to_le_bytes());
    field.push(1);
    field.extend(crc.sum().to_le_bytes());
    field.extend(text.as_bytes());
    field
}

/// Returns the bytes of an archive.
pub fn archive(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    let mut offsets = Vec::new();
    for entry in entries {
        let mut crc = Crc::new();
        crc.update(&entry.data);
        let data = match entry.is_deflated {
            true => {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(&entry.data).unwrap();
                encoder.finish().unwrap()
            }
            false => entry.data.clone(),
        };
        let size = entry
            .size
            .unwrap_or(u32::try_from(entry.data.len()).unwrap());
        let mut middle = Vec::new();
        middle.extend(20_u16.to_le_bytes());
        middle.extend(entry.flags.to_le_bytes());
        middle.extend((8 * u16::from(entry.is_deflated)).to_le_bytes());
        // Noon of a day, in DOS format.
        middle.extend([0, 0x60, 0x21, 0x28]);
        middle.extend(crc.sum().to_le_bytes());
        middle.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
        middle.extend(size.to_le_bytes());
        middle.extend(u16::try_from(entry.name.len()).unwrap().to_le_bytes());
        middle.extend(u16::try_from(entry.extra.len()).unwrap().to_le_bytes());
        let offset = match entry.same_data {
            Some(other) => offsets[other],
            None => {
                let offset = u32::try_from(bytes.len()).unwrap();
                bytes.extend(b"PK\x03\x04");
                bytes.extend(&middle);
                bytes.extend(&entry.name);
                bytes.extend(&entry.extra);
                bytes.extend(&data);
                offset
            }
        };
        offsets.push(offset);
        directory.extend(b"PK\x01\x02");
        let attributes = entry.dos.map_or(0, |kinds| u32::from(kinds) << 8);
        directory.extend([20, if entry.dos.is_some() { 0 } else { 3 }]);
        directory.extend(&middle);
        // The entry has no comment and no internal attributes, and is on the first disk.
        directory.extend([0; 6]);
        directory.extend((entry.mode << 16 | attributes).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(&entry.name);
        directory.extend(&entry.extra);
    }
    let start = u32::try_from(bytes.len()).unwrap();
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    let count = u16::try_from(entries.len()).unwrap();
    bytes.extend(count.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(u32::try_from(directory.len()).unwrap().to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0; 2]);
    bytes
}
