//! Owns: every byte of every source arrives once and in order, and what is missing is reported.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

use flate2::Compression;
use flate2::write::GzEncoder;
use manila_log::source::{Hidden, Sources};
use manila_log::{Body, Input, InputError};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;

/// A skippable frame of Zstandard with three bytes in it.
const SKIPPED: &[u8] = &[0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];

fn dir() -> TempDir {
    tempfile::tempdir().expect("a directory")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// Lines that do not compress to nothing.
fn lines(count: u64) -> Vec<u8> {
    let line = |n: u64| format!("{{\"n\":{n},\"x\":{}}}\n", n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (0..count).map(line).collect::<String>().into_bytes()
}

/// What one input gave, and how it ended.
type Gave = (String, Vec<u8>, io::Result<()>);

fn drain(input: Result<Input, InputError>) -> Gave {
    let (name, body) = match input {
        Ok(Input { name, body }) => (name, body),
        Err(InputError { name, error, .. }) => return (name.to_string(), Vec::new(), Err(error)),
    };
    let mut stream: Box<dyn Read> = match body {
        Body::File(file) => Box::new(file),
        Body::Stream(stream) | Body::Live(stream) => stream,
    };
    let (mut bytes, mut piece) = (Vec::new(), vec![0; 1 << 18]);
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return (name.to_string(), bytes, Ok(())),
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
            Err(error) => return (name.to_string(), bytes, Err(error)),
        }
    }
}

fn find(words: &[&Path]) -> Sources {
    let words: Vec<PathBuf> = words.iter().map(|word| word.to_path_buf()).collect();
    Sources::find(&words, Hidden::Skip)
}

/// What a file of these bytes gives.
fn read(bytes: &[u8]) -> (Vec<u8>, io::Result<()>) {
    let dir = dir();
    let path = dir.path().join("log");
    fs::write(&path, bytes).expect("writes");
    let mut gave: Vec<Gave> = find(&[&path]).map(drain).collect();
    assert_eq!(gave.len(), 1);
    let (_, bytes, end) = gave.remove(0);
    (bytes, end)
}

/// The names that are found, without the directory they are in.
fn names(sources: Sources, dir: &Path) -> Vec<String> {
    let prefix = format!("{}/", dir.display());
    sources.map(|input| drain(input).0.replace(&prefix, "")).collect()
}

#[test]
fn compressed_bytes_are_known_by_their_content() {
    let bytes = lines(20_000);
    let middle = bytes.len() / 2;
    let (first, second) = bytes.split_at(middle);
    for (what, packed) in [
        ("plain", bytes.clone()),
        ("gzip", gzip(&bytes)),
        ("gzip in members", [gzip(first), gzip(b""), gzip(second)].concat()),
        ("gzip with padding", [gzip(&bytes), vec![0; 100_000]].concat()),
        ("zstd", zstd(&bytes)),
        ("zstd in frames", [&zstd(first), SKIPPED, &zstd(b""), &zstd(second)].concat()),
        ("zstd that begins with a frame to skip", [SKIPPED, &zstd(&bytes)].concat()),
    ] {
        let (read, end) = read(&packed);
        assert!(end.is_ok(), "{what}: {end:?}");
        assert!(read == bytes, "{what}: {} bytes of {}", read.len(), bytes.len());
    }
}

#[test]
fn short_files_are_what_they_are() {
    for bytes in [&b""[..], b"\n", b"{", b"\x1f\x8b", b"\x28\xb5\x2f", b"\0\0\0\0\0"] {
        let (read, end) = read(bytes);
        assert!(end.is_ok() && read == bytes, "{bytes:?}: {end:?}");
    }
}

#[test]
fn compressed_bytes_that_stop_early_are_reported_wherever_they_stop() {
    let bytes = lines(60);
    for packed in [gzip(&bytes), zstd(&bytes), [SKIPPED, &zstd(&bytes)].concat()] {
        // Where a frame to be skipped ends, so may the file.
        for cut in (4..packed.len()).filter(|cut| packed[..*cut] != *SKIPPED) {
            let (read, end) = read(&packed[..cut]);
            let error = end.expect_err("the end is missing");
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{cut}: {error}");
            assert!(error.to_string().contains("stop before their end"), "{error}");
            assert!(bytes.starts_with(&read), "{cut}: what came before stays");
        }
    }
}

#[test]
fn a_second_part_that_stops_early_keeps_the_first() {
    let (first, second) = (lines(300), lines(400));
    for pack in [gzip, zstd] {
        let whole = [pack(&first), pack(&second)].concat();
        let (read, end) = read(&whole[..whole.len() - 1]);
        assert_eq!(end.expect_err("cut").kind(), ErrorKind::UnexpectedEof);
        assert!(read.starts_with(&first), "{} bytes", read.len());
    }
}

#[test]
fn damage_never_passes_for_data() {
    let bytes = lines(60);
    for (pack, header) in [(gzip as fn(&[u8]) -> Vec<u8>, 10), (zstd, 5)] {
        let packed = pack(&bytes);
        for at in header..packed.len() {
            let mut damaged = packed.clone();
            damaged[at] ^= 0x10;
            let (read, end) = read(&damaged);
            assert!(end.is_err() || read == bytes, "byte {at} of {}", packed.len());
        }
    }
}

#[test]
fn what_follows_compressed_bytes_and_is_not_compressed_is_reported() {
    let bytes = lines(60);
    for pack in [gzip, zstd] {
        for tail in [&b"tail of something"[..], b"\0\0\0\0{}"] {
            let (read, end) = read(&[&pack(&bytes), tail].concat());
            let error = end.expect_err("something follows");
            assert_eq!(error.kind(), ErrorKind::InvalidData, "{error}");
            assert!(error.to_string().contains("follow"), "{error}");
            assert!(read == bytes);
        }
    }
}

#[test]
fn a_dir_is_read_by_name_with_all_below_it_and_without_what_is_hidden() {
    let dir = dir();
    let top = dir.path();
    for path in ["b/2", "b/1", "b/c/3", "a", "z", ".hidden", ".git/x", "b/.y"] {
        let path = top.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, "x\n").expect("writes");
    }
    assert_eq!(names(find(&[top]), top), ["a", "b/1", "b/2", "b/c/3", "z"]);
    let all = Sources::find(&[top.to_owned()], Hidden::Read);
    assert_eq!(all.bytes(), Some(16));
    assert_eq!(names(all, top), [".git/x", ".hidden", "a", "b/.y", "b/1", "b/2", "b/c/3", "z"]);
}

#[cfg(unix)]
#[test]
fn links_are_neither_a_circle_nor_a_second_reading() {
    use std::os::unix::fs::symlink;
    let dir = dir();
    let top = dir.path();
    fs::create_dir(top.join("logs")).expect("a directory");
    fs::write(top.join("logs/2"), "x\n").expect("writes");
    fs::write(top.join("elsewhere"), "y\n").expect("writes");
    symlink("..", top.join("logs/circle")).expect("a link");
    symlink("2", top.join("logs/1-latest")).expect("a link");
    symlink("../elsewhere", top.join("logs/other")).expect("a link");
    symlink("nothing", top.join("logs/dangling")).expect("a link");
    symlink("logs", top.join("named")).expect("a link");
    let sources = find(&[&top.join("logs")]);
    assert!(sources.repeated().is_empty());
    assert_eq!(names(sources, top), ["logs/2", "logs/other"]);
    // A link that is named is meant.
    assert_eq!(names(find(&[&top.join("named")]), top), ["named/2", "named/other"]);
}

#[test]
fn a_file_that_is_named_twice_is_read_once_and_reported() {
    let dir = dir();
    let top = dir.path();
    fs::write(top.join("a"), "x\n").expect("writes");
    fs::hard_link(top.join("a"), top.join("b")).expect("a link");
    let sources = find(&[
        &top.join("a"),
        &top.join("../").join(top.file_name().expect("a name")).join("a"),
        &top.join("b"),
        top,
    ]);
    assert_eq!(sources.repeated().len(), 4);
    assert_eq!(names(sources, top), ["a"]);
}

#[test]
fn patterns_are_expanded_where_no_shell_did() {
    let dir = dir();
    let top = dir.path();
    for path in ["1.log", "2.log", "10.txt", ".3.log", "x/4.log", "x/y/5.log", "odd[1].log"] {
        let path = top.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, "x\n").expect("writes");
    }
    let found = |pattern: &str| names(find(&[&top.join(pattern)]), top);
    assert_eq!(found("[12].log"), ["1.log", "2.log"]);
    assert_eq!(found("?.log"), ["1.log", "2.log"]);
    assert_eq!(found("*/*.log"), ["x/4.log"]);
    assert_eq!(found("**/*.log"), ["1.log", "2.log", "odd[1].log", "x/4.log", "x/y/5.log"]);
    assert_eq!(found("x*"), ["x/4.log", "x/y/5.log"]);
    assert_eq!(found(".*.log"), [".3.log"]);
    // What is there is meant as it is spelled.
    assert_eq!(found("odd[1].log"), ["odd[1].log"]);
    let none: Vec<Gave> = find(&[&top.join("*.gz")]).map(drain).collect();
    let error = none[0].2.as_ref().expect_err("nothing matches");
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::NotFound, "no file matches")
    );
}

#[test]
fn one_bad_source_does_not_hide_the_others() {
    let dir = dir();
    let top = dir.path();
    fs::write(top.join("a"), "x\n").expect("writes");
    fs::write(top.join("c"), "z\n").expect("writes");
    let sources = find(&[&top.join("a"), &top.join("b"), &top.join("c")]);
    // It goes between the finding and the reading.
    fs::remove_file(top.join("a")).expect("removes");
    let gave: Vec<Gave> = sources.map(drain).collect();
    let ends: Vec<_> = gave.iter().map(|(_, bytes, end)| (bytes.len(), end.is_ok())).collect();
    assert_eq!(ends, [(0, false), (0, false), (2, true)]);
    assert_eq!(gave[0].2.as_ref().expect_err("it is gone").kind(), ErrorKind::NotFound);
}

#[cfg(unix)]
#[test]
fn a_dir_that_may_not_be_read_is_reported_and_its_neighbours_are_read() {
    use std::os::unix::fs::PermissionsExt;
    let dir = dir();
    let top = dir.path();
    fs::create_dir(top.join("closed")).expect("a directory");
    fs::write(top.join("open"), "x\n").expect("writes");
    fs::set_permissions(top.join("closed"), fs::Permissions::from_mode(0o000)).expect("closes");
    if fs::read_dir(top.join("closed")).is_ok() {
        let _ = writeln!(io::stderr(), "SKIPPED: this account may read everything");
        return;
    }
    let gave: Vec<Gave> = find(&[top]).map(drain).collect();
    fs::set_permissions(top.join("closed"), fs::Permissions::from_mode(0o700)).expect("opens");
    let error = gave[0].2.as_ref().expect_err("it is closed");
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert!(gave[0].0.ends_with("/closed") && gave[1].1 == b"x\n");
}

#[test]
fn a_meter_tells_how_much_of_the_files_was_read() {
    let bytes = lines(5_000);
    let packed = gzip(&bytes);
    let dir = dir();
    fs::write(dir.path().join("1"), &packed).expect("writes");
    fs::write(dir.path().join("2"), &bytes).expect("writes");
    let mut sources = find(&[dir.path()]);
    let meter = sources.meter();
    let total = (packed.len() + bytes.len()) as u64;
    assert_eq!(sources.bytes(), Some(total));
    let first = drain(sources.next().expect("one")).1.len() as u64;
    assert_eq!(meter.on_disk(first), packed.len() as u64);
    let second = drain(sources.next().expect("two")).1.len() as u64;
    assert_eq!(meter.on_disk(first + second), total);
}

#[cfg(unix)]
#[test]
fn a_file_to_be_written_is_found_among_those_to_be_read() {
    let dir = dir();
    let path = dir.path().join("log");
    fs::write(&path, "x\n").expect("writes");
    fs::hard_link(&path, dir.path().join("alias")).expect("a link");
    fs::write(dir.path().join("other"), "").expect("writes");
    let sources = find(&[&path]);
    let name_of = |name: &str| {
        let path = dir.path().join(name);
        let metadata = fs::metadata(&path).expect("metadata");
        sources.name_of(&path, &metadata).map(|name| name.to_string())
    };
    assert_eq!(name_of("alias"), Some(path.display().to_string()));
    assert_eq!(name_of("other"), None);
}

/// What happens to a file while it is followed: a step whenever nothing more is there to be read.
struct Script(Mutex<VecDeque<Box<dyn FnOnce() + Send>>>);

/// What following a file gives, piece by piece; each input on its own.
fn follow(path: &Path, steps: Vec<Box<dyn FnOnce() + Send>>) -> Vec<Vec<String>> {
    let script = Script(Mutex::new(steps.into()));
    let over = move || {
        let step = script.0.lock().expect("no panic").pop_front();
        step.map(|step| step()).is_none()
    };
    let sources = find(&[path]).until(over).follow(Duration::ZERO);
    assert_eq!(sources.bytes(), None);
    let mut inputs = Vec::new();
    for input in sources {
        let Input { name, body: Body::Live(mut stream) } = input.expect("it opens") else {
            unreachable!("what is followed is live");
        };
        assert_eq!(*name, path.display().to_string());
        let (mut pieces, mut piece) = (Vec::new(), [0; 64]);
        loop {
            match stream.read(&mut piece).expect("it reads") {
                0 => break,
                read => pieces.push(String::from_utf8_lossy(&piece[..read]).into_owned()),
            }
        }
        inputs.push(pieces);
    }
    inputs
}

fn append(path: &Path, text: &'static str) -> Box<dyn FnOnce() + Send> {
    let path = path.to_owned();
    Box::new(move || {
        let file = OpenOptions::new().append(true).create(true).open(path);
        file.and_then(|mut file| file.write_all(text.as_bytes())).expect("it grows");
    })
}

fn nothing() -> Box<dyn FnOnce() + Send> {
    Box::new(|| {})
}

#[test]
fn a_file_that_grows_gives_whole_lines_as_they_come() {
    let dir = dir();
    let path = dir.path().join("log");
    fs::write(&path, "one\ntwo\n").expect("writes");
    let steps = vec![
        nothing(),
        append(&path, "thr"),
        nothing(),
        append(&path, "ee\nfour"),
        append(&path, "\n"),
        append(&path, "unfinished"),
    ];
    // A writer in the middle of a line is not done; it breaks no rule.
    assert_eq!(follow(&path, steps), [["one\ntwo\n", "three\n", "four\n"]]);
}

#[test]
fn a_line_longer_than_the_room_for_it_comes_in_pieces() {
    let dir = dir();
    let path = dir.path().join("log");
    fs::write(&path, format!("{}\nend\n", "x".repeat(150))).expect("writes");
    let inputs = follow(&path, vec![nothing(), nothing()]);
    assert_eq!(inputs.len(), 1);
    assert_eq!(inputs[0].concat(), format!("{}\nend\n", "x".repeat(150)));
    assert!(inputs[0][0].len() == 64);
}

#[cfg(unix)]
#[test]
fn a_file_that_is_rotated_is_read_to_its_end_and_the_new_one_from_its_beginning() {
    let dir = dir();
    let path = dir.path().join("log");
    let old = dir.path().join("log.1");
    fs::write(&path, "one\n").expect("writes");
    let rotate = {
        let (path, old) = (path.clone(), old.clone());
        Box::new(move || {
            fs::rename(&path, &old).expect("renames");
        })
    };
    let steps: Vec<Box<dyn FnOnce() + Send>> = vec![
        nothing(),
        append(&path, "two\n"),
        rotate,
        // The name is gone for a while, and the writer still has the old file open.
        append(&old, "late\n"),
        append(&old, "torn"),
        nothing(),
        append(&path, "new\n"),
        nothing(),
        append(&path, "newer\n"),
        nothing(),
    ];
    let inputs = follow(&path, steps);
    let whole: Vec<String> = inputs.iter().map(|pieces| pieces.concat()).collect();
    assert_eq!(whole, ["one\ntwo\nlate\ntorn", "new\nnewer\n"]);
}

#[test]
fn a_file_that_is_cut_begins_anew() {
    let dir = dir();
    let path = dir.path().join("log");
    fs::write(&path, "one\ntwo\n").expect("writes");
    let cut = {
        let path = path.clone();
        Box::new(move || {
            File::create(&path).expect("cuts");
        })
    };
    let steps: Vec<Box<dyn FnOnce() + Send>> =
        vec![nothing(), cut, append(&path, "a\n"), nothing(), nothing()];
    let whole: Vec<String> = follow(&path, steps).iter().map(|pieces| pieces.concat()).collect();
    assert_eq!(whole, ["one\ntwo\n", "a\n"]);
}

#[test]
fn a_file_that_is_cut_and_longer_again_before_anybody_looks_begins_anew() {
    for grown in ["a\nb\n", "one\nTWO\n", "one\nTWO\nthree\n", "zero and much more\none\ntwo\n"] {
        let dir = dir();
        let path = dir.path().join("log");
        fs::write(&path, "one\ntwo\n").expect("writes");
        let rewrite = {
            let path = path.clone();
            Box::new(move || fs::write(&path, grown).expect("writes"))
        };
        let steps: Vec<Box<dyn FnOnce() + Send>> = vec![nothing(), rewrite, nothing(), nothing()];
        let whole: Vec<String> = follow(&path, steps).iter().map(|it| it.concat()).collect();
        assert_eq!(whole, ["one\ntwo\n", grown]);
    }
}

#[test]
fn what_comes_before_the_last_file_is_read_as_it_is() {
    let dir = dir();
    let (old, path) = (dir.path().join("old.gz"), dir.path().join("log"));
    fs::write(&old, gzip(b"zero\n")).expect("writes");
    fs::write(&path, "one\n").expect("writes");
    let asked = Mutex::new(0);
    let over = move || {
        let mut asked = asked.lock().expect("no panic");
        *asked += 1;
        *asked > 2
    };
    let sources = find(&[&old, &path]).until(over).follow(Duration::ZERO);
    let gave: Vec<Vec<u8>> = sources.map(|input| drain(input).1).collect();
    assert_eq!(gave, [b"zero\n".to_vec(), b"one\n".to_vec()]);
}

#[test]
fn a_compressed_file_cannot_be_followed() {
    let dir = dir();
    let path = dir.path().join("log");
    fs::write(&path, gzip(b"x\n")).expect("writes");
    let gave: Vec<Gave> = find(&[&path]).follow(Duration::ZERO).map(drain).collect();
    let error = gave[0].2.as_ref().expect_err("it is compressed");
    assert!(error.to_string().contains("gzip"), "{error}");
    assert_eq!(gave.len(), 1);
}
