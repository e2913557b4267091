//! The directory of a dataset: what is in memory, the files that are open, and how it gets its
//! name.

use super::Partition;
use super::column::{Columns, stored};
use crate::sink::Block;
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How much may wait in memory, over all directories, for a row group to be written.
const WAITING: usize = 24 << 20;
/// After so many row groups a file ends: what it must remember of each may not add up.
const ROW_GROUPS: usize = 64;
/// How many files are open at once.
const OPEN: usize = 32;

/// What to do with a dataset that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Leave it, and refuse.
    Keep,
    /// Put the new one in its place once that is whole. A directory that holds anything but a
    /// dataset is refused.
    Replace,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Rows.
    pub rows: u64,
    /// Files.
    pub files: u64,
    /// Bytes of all files.
    pub bytes: u64,
    /// Envelopes that have no normal form and no row.
    pub unwritten: u64,
}

/// A dataset that is being written beside its name, and takes it when it is whole.
#[derive(Debug)]
pub struct Dataset {
    dir: PathBuf,
    existing: Existing,
    staging: Staging,
    schema: TypePtr,
    properties: WriterPropertiesPtr,
    parts: BTreeMap<String, Part>,
    waiting: usize,
    written: Written,
    /// Row groups so far, to know which file was used last.
    clock: u64,
    failed: Option<io::Error>,
}

/// A directory that is removed when it is no longer needed.
#[derive(Debug)]
struct Staging(PathBuf);

impl Drop for Staging {
    fn drop(&mut self) {
        // Once it has its name there is nothing here to remove.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// One directory of the dataset.
#[derive(Default)]
struct Part {
    waiting: Vec<Columns>,
    size: usize,
    open: Option<SerializedFileWriter<File>>,
    files: u64,
    used: u64,
}

impl std::fmt::Debug for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Part").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Dataset {
    /// A dataset that will be at `directory`.
    pub fn create(dir: &Path, existing: Existing, partition: &[Partition]) -> io::Result<Self> {
        refuse(dir, existing)?;
        let name = dir.file_name().ok_or_else(|| io::Error::other("it has no name"))?;
        let name = name.to_string_lossy();
        let staging = dir.with_file_name(format!(".{name}.{}.partial", std::process::id()));
        if let Some(above) = dir.parent() {
            fs::create_dir_all(above)?;
        }
        fs::create_dir(&staging)?;
        let staging = Staging(staging);
        let fields = stored(partition).map(super::Column::schema).collect::<Result<_>>();
        let schema = fields
            .and_then(|fields| Type::group_type_builder("record").with_fields(fields).build());
        let properties = WriterProperties::builder().set_compression(Compression::LZ4_RAW).build();
        Ok(Dataset {
            dir: dir.to_owned(),
            existing,
            staging,
            schema: Arc::new(schema.map_err(plain)?),
            properties: Arc::new(properties),
            parts: BTreeMap::new(),
            waiting: 0,
            written: Written::default(),
            clock: 0,
            failed: None,
        })
    }

    /// Takes the rows of the next block.
    pub(super) fn take(
        &mut self,
        dirs: BTreeMap<String, Columns>,
        unwritten: u64,
        block: &Block,
    ) -> ControlFlow<()> {
        self.written.unwritten += unwritten;
        for (name, mut columns) in dirs {
            columns.place(block);
            let size = columns.size();
            let part = self.parts.entry(name).or_default();
            part.size += size;
            part.waiting.push(columns);
            self.waiting += size;
        }
        match self.make_room() {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Writes the largest row groups until the others may wait.
    fn make_room(&mut self) -> io::Result<()> {
        while self.waiting > WAITING {
            let largest = self.parts.iter().max_by_key(|(_, part)| part.size);
            let Some(name) = largest.map(|(name, _)| name.clone()) else { break };
            self.write_group(&name)?;
        }
        Ok(())
    }

    fn write_group(&mut self, name: &str) -> io::Result<()> {
        let Some(part) = self.parts.get_mut(name) else { return Ok(()) };
        let waiting = std::mem::take(&mut part.waiting);
        self.waiting -= std::mem::take(&mut part.size);
        if waiting.is_empty() {
            return Ok(());
        }
        self.clock += 1;
        part.used = self.clock;
        if part.open.is_none() {
            let dir = self.staging.0.join(name);
            fs::create_dir_all(&dir)?;
            let file = File::create_new(dir.join(format!("part-{:05}.parquet", part.files)))?;
            let (schema, properties) = (Arc::clone(&self.schema), Arc::clone(&self.properties));
            part.open = Some(SerializedFileWriter::new(file, schema, properties).map_err(plain)?);
            part.files += 1;
            self.written.files += 1;
        }
        let rows: usize = waiting.iter().map(Columns::rows).sum();
        if let Some(writer) = &mut part.open {
            write_group(writer, waiting).map_err(plain)?;
            self.written.rows += rows as u64;
            if writer.flushed_row_groups().len() >= ROW_GROUPS {
                self.written.bytes += close(part)?;
            }
        }
        self.close_idle()
    }

    /// Ends the file that was used longest ago, if too many are open.
    fn close_idle(&mut self) -> io::Result<()> {
        let open = || self.parts.values().filter(|part| part.open.is_some());
        if open().count() > OPEN {
            let oldest = open().map(|part| part.used).min();
            let idle = self.parts.values_mut().find(|part| Some(part.used) == oldest);
            if let Some(part) = idle {
                self.written.bytes += close(part)?;
            }
        }
        Ok(())
    }

    /// Writes what still waits and gives the dataset its name. On an error nothing is left of it.
    pub fn finish(mut self) -> io::Result<Written> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let names: Vec<String> = self.parts.keys().cloned().collect();
        for name in names {
            self.write_group(&name)?;
        }
        for part in self.parts.values_mut() {
            self.written.bytes += close(part)?;
        }
        refuse(&self.dir, self.existing)?;
        self.settle()?;
        Ok(self.written)
    }

    fn settle(&self) -> io::Result<()> {
        if is_empty(&self.dir)? {
            return fs::rename(&self.staging.0, &self.dir);
        }
        let old = Staging(self.staging.0.with_extension("old"));
        fs::rename(&self.dir, &old.0)?;
        fs::rename(&self.staging.0, &self.dir).inspect_err(|_| {
            // Better the old one than none.
            let _ = fs::rename(&old.0, &self.dir);
        })
    }
}

fn write_group(writer: &mut SerializedFileWriter<File>, waiting: Vec<Columns>) -> Result<()> {
    let mut group = writer.next_row_group()?;
    let mut parts: Vec<_> = waiting.into_iter().map(Columns::into_writers).collect();
    while let Some(mut column) = group.next_column()? {
        for write in parts.iter_mut().filter_map(Iterator::next) {
            write(&mut column)?;
        }
        column.close()?;
    }
    group.close().map(drop)
}

/// Ends the file of a directory, if one is open, and says how large it is.
fn close(part: &mut Part) -> io::Result<u64> {
    let Some(writer) = part.open.take() else { return Ok(0) };
    let file = writer.into_inner().map_err(plain)?;
    file.sync_all()?;
    Ok(file.metadata()?.len())
}

/// Refuses a name that is taken, unless what has it may be replaced.
fn refuse(dir: &Path, existing: Existing) -> io::Result<()> {
    let error = |kind, text: &str| Err(io::Error::new(kind, text));
    if is_empty(dir)? {
        Ok(())
    } else if existing == Existing::Keep {
        error(io::ErrorKind::AlreadyExists, "something is there already")
    } else if !is_dataset(dir)? {
        error(io::ErrorKind::DirectoryNotEmpty, "it holds more than a dataset")
    } else {
        Ok(())
    }
}

/// Whether nothing has that name, or a directory with nothing in it.
fn is_empty(dir: &Path) -> io::Result<bool> {
    match fs::read_dir(dir) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

/// Whether a directory holds nothing but what a dataset holds.
fn is_dataset(dir: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_ours = if entry.file_type()?.is_dir() {
            let key = name.split_once('=').map(|(key, _)| key);
            super::PARTITIONS.iter().any(|it| Some(it.id()) == key) && is_dataset(&entry.path())?
        } else {
            name.starts_with("part-") && name.ends_with(".parquet")
        };
        if !is_ours {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The error of a file that caused an error of the writer.
fn plain(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}
