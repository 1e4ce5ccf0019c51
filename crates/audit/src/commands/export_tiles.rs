//! `audit export --tiles`: a log's tree as a folder that any web server can hand out (C2SP
//! tlog-tiles). It holds digests, hashes and signatures; nothing of what was recorded.

use std::fs;
use std::io::{Read as _, Write};
use std::path::Path;

use sealed_log::store::{StoreError, StoreNodes, check_tiles, resource_bytes};
use sealed_log_sled::SledReader;
use serde::Serialize;
use tlog::checkpoint::SignedCheckpoint;
use tlog::consistency::ConsistencyProof;
use tlog::note::VerifierKey;
use tlog::proof::recomputed_root;
use tlog::tile::TreeResource;

use crate::errors::said;
use crate::exit::Exit;
use crate::failure::{Failure, about};
use crate::language::texts;
use crate::log::{OpenedLog, signed_checkpoint};
use crate::{output, render};

#[derive(Serialize)]
struct TilesView {
    tiles: String,
    origin: String,
    size: u64,
    root: String,
    files: u64,
    new_files: u64,
}

pub(crate) fn run(log: &Path, folder: &Path, json: bool) -> Result<Exit, Failure> {
    let opened = OpenedLog::open(log)?;
    let name = log.display();
    let Some((store, signed, key)) = opened.store() else {
        return Err(Failure::usage(texts().tiles_need_folder(name)));
    };
    let signed = signed.ok_or_else(|| Failure::seal(texts().no_signed_checkpoint(&name)))?;
    let key = key.ok_or_else(|| Failure::unreadable(texts().key_file_without_key(&name)))?;
    check_log(log, store, signed, key)?;
    check_folder(folder, store, signed, key)?;
    let (files, new_files) = write_all(folder, store, signed)?;
    let checkpoint = signed.checkpoint();
    let view = TilesView {
        tiles: folder.display().to_string(),
        origin: checkpoint.origin.clone(),
        size: checkpoint.size,
        root: checkpoint.root_text(),
        files,
        new_files,
    };
    if json {
        output::print_json(&view)?;
    } else {
        let (size, files) = (render::grouped(view.size), texts().files(files));
        let new = render::grouped(new_files);
        output::print(&texts().tiles_written(&view.tiles, size, &view.origin, files, new, &view.root))?;
    }
    Ok(Exit::Good)
}

/// Nothing is published that does not lead to the signed root.
fn check_log(
    log: &Path,
    store: &SledReader,
    signed: &SignedCheckpoint,
    key: &VerifierKey,
) -> Result<(), Failure> {
    let name = log.display();
    signed.verify(key).map_err(|error| Failure::seal(about(&name, &error)))?;
    let message = |why: String| texts().not_published(&name, why);
    let damaged = |error: StoreError| Failure::by_cause(Exit::Seal, message(said(&error)), &error);
    let checkpoint = signed.checkpoint();
    let root = recomputed_root(&StoreNodes(store), 0, checkpoint.size).map_err(damaged)?;
    if root != checkpoint.root {
        return Err(Failure::seal(message(texts().leaves_lead_elsewhere())));
    }
    check_tiles(store, checkpoint.size).map_err(damaged)
}

/// What was published before must be a beginning of what is published now.
fn check_folder(
    folder: &Path,
    store: &SledReader,
    signed: &SignedCheckpoint,
    key: &VerifierKey,
) -> Result<(), Failure> {
    let path = folder.join("checkpoint");
    if !path.exists() {
        return Ok(());
    }
    let older = signed_checkpoint(&path)?;
    let refused = |why: String| Failure::seal(texts().published_not_extended(folder.display(), why));
    older.verify(key).map_err(|error| refused(said(&error)))?;
    ConsistencyProof::make(&StoreNodes(store), older.checkpoint(), signed)
        .map_err(|error| refused(said(&error)))?;
    Ok(())
}

/// What a file holds, no further than shows whether it is these bytes.
fn read_as_long_as(path: &Path, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut read = Vec::new();
    fs::File::open(path)?.take(bytes.len() as u64 + 1).read_to_end(&mut read)?;
    Ok(read)
}

/// Writes what is not there yet, the checkpoint last; gives how many files there are and are new.
fn write_all(folder: &Path, store: &SledReader, signed: &SignedCheckpoint) -> Result<(u64, u64), Failure> {
    let (mut files, mut new_files) = (0, 0);
    for resource in TreeResource::of_tree(signed.checkpoint().size) {
        let bytes = resource_bytes(store, signed, &resource).map_err(Failure::of_seal)?;
        let path = folder.join(resource.to_string());
        let failed = |error: std::io::Error| Failure::file(path.display(), &error);
        files += 1;
        let there = path.exists().then(|| read_as_long_as(&path, &bytes)).transpose().map_err(failed)?;
        match there {
            Some(there) if there == bytes => {}
            Some(_) if resource != TreeResource::Checkpoint => {
                return Err(Failure::seal(texts().tile_altered(path.display())));
            }
            Some(_) | None => {
                replace(&path, &bytes).map_err(failed)?;
                new_files += 1;
            }
        }
    }
    Ok((files, new_files))
}

/// A reader sees either the whole new file or the previous one.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut next = tempfile::Builder::new().prefix(".next-").tempfile_in(folder)?;
    next.write_all(bytes)?;
    crate::new_file::readable(next.path());
    next.persist(path).map_err(|error| error.error)?;
    Ok(())
}
