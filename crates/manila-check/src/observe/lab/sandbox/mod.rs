//! The file system of a confined run: which steps put it together, and what was written to it.
//!
//! Each directory at the root of the host is below a layer that takes all writes, or can only be read
//! where the system has no such layer. Homes, temporary and runtime directories are new and empty, and
//! hold only what the program needs to start. Of devices there are the harmless few. Sockets and
//! credentials of the host have nothing in their place.

mod elf;
mod exposed;
mod host;
mod layout;
mod writes;

pub(crate) use exposed::Needs;
use layout::Area;
pub(crate) use layout::Sandbox;
pub(super) use writes::Listing;

use super::sys::{Action, Step};
use exposed::{Exposed, exposed};
use host::Protected;
use std::env;
use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// The directory below that of all runs where file systems are put together.
pub(super) const TOP: &str = "root";
/// What becomes the root.
const ROOT: &str = "new";
/// The replacement for what is hidden from a run.
const NO_FILE: &str = "file";
const NO_DIRECTORY: &str = "directory";
/// Devices that do no harm.
const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom", "tty", "ptmx"];
const DEVICE_LINKS: &[(&str, &str)] = &[
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
];

impl Sandbox {
    /// For runs whose directories are below this one.
    pub(crate) fn new(runs: &Path, needs: &Needs<'_>, keeps_network: bool) -> io::Result<Sandbox> {
        let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let variable = |name: &str| env::var_os(name).map(PathBuf::from);
        let protected = Protected::new(&accounts, variable("HOME"), variable("XDG_RUNTIME_DIR"));
        let mut exposed = exposed(&protected, needs);
        if keeps_network && let Ok(file) = Path::new("/etc/resolv.conf").canonicalize() {
            exposed.paths.extend(protected.place(&file).map(|_| file));
        }
        let mut sandbox = Sandbox::default();
        sandbox.steps.top = text(&runs.join(TOP))?;
        // An ordinary user cannot write to the root of the host either.
        sandbox.steps.root_mode = permissions(Path::new("/"));
        sandbox.add_system(&protected, &host::mounts())?;
        sandbox.add_private(&protected)?;
        sandbox.expose(&protected, &exposed)?;
        sandbox.mask(&protected, &exposed)?;
        sandbox.make_way(&protected, runs)?;
        sandbox.add(Action::Bind, runs, &in_sandbox(runs), true)?;
        Ok(sandbox)
    }

    /// What a step does, in words.
    pub(crate) fn describe(&self, step: Option<usize>) -> String {
        let Some(step) = step.and_then(|at| self.steps.all.get(at)) else {
            return "namespaces of users, mounts and processes".to_owned();
        };
        let target = step.target.to_string_lossy();
        format!("a mount at {}", target.strip_prefix(ROOT).unwrap_or(&target))
    }

    fn add(
        &mut self,
        action: Action,
        source: &Path,
        target: &Path,
        is_needed: bool,
    ) -> io::Result<()> {
        let is_new = matches!(action, Action::Directory(_) | Action::File | Action::Link);
        if is_new && !self.skeleton.insert(target.to_owned()) {
            return Ok(());
        }
        let (source, target) = (text(source)?, text(target)?);
        self.steps.all.push(Step { action, source, target, is_needed });
        Ok(())
    }

    fn directory(&mut self, target: &Path, mode: u32) -> io::Result<()> {
        self.add(Action::Directory(mode), Path::new(""), target, true)
    }

    /// What is at the root of the host.
    fn add_system(&mut self, protected: &Protected, mounts: &[PathBuf]) -> io::Result<()> {
        for path in ["private", "upper", "work"] {
            self.directory(Path::new(path), 0o755)?;
        }
        self.add(Action::File, Path::new(""), Path::new(NO_FILE), true)?;
        self.directory(Path::new(NO_DIRECTORY), 0o555)?;
        self.areas.push((ROOT.into(), Area { real: "/".into(), is_layer: false }));
        let mut entries: Vec<_> = fs::read_dir("/")?.collect::<io::Result<_>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (path, kind) = (entry.path(), entry.file_type()?);
            let target = in_sandbox(&path);
            if kind.is_symlink() {
                self.add(Action::Link, &fs::read_link(&path)?, &target, true)?;
            } else if path == Path::new("/dev") {
                self.add_devices()?;
            } else if kind.is_dir() {
                self.directory(&target, 0o755)?;
                let is_hidden = protected.hidden.iter().any(|hidden| hidden.path == path);
                if !is_hidden {
                    self.add_directory(&path, mounts)?;
                }
            } else if kind.is_file() {
                self.add(Action::File, Path::new(""), &target, true)?;
                self.add(Action::BindReadOnly, &path, &target, false)?;
            }
        }
        Ok(())
    }

    /// A directory below a layer where that is possible, else to read only.
    fn add_directory(&mut self, path: &Path, mounts: &[PathBuf]) -> io::Result<()> {
        let target = in_sandbox(path);
        let is_special = ["/proc", "/sys"].iter().any(|special| path == Path::new(special));
        let has_mounts = mounts.iter().any(|mount| mount != path && mount.starts_with(path));
        // These would end a path in the options of a mount.
        let plain = path.to_str().filter(|it| !it.contains([',', ':', '\\']));
        if let Some(plain) = plain.filter(|_| !is_special && !has_mounts) {
            let number = self.areas.len();
            let [upper, work] = ["upper", "work"].map(|it| Path::new(it).join(number.to_string()));
            self.directory(&upper, permissions(path))?;
            self.directory(&work, 0o755)?;
            let options = format!(
                "lowerdir={plain},upperdir={},workdir={},userxattr",
                upper.display(),
                work.display()
            );
            self.add(Action::Overlay, Path::new(&options), &target, false)?;
            let area = Area { real: path.to_owned(), is_layer: true };
            self.areas.push((upper, area));
        }
        self.add(Action::BindReadOnly, path, &target, is_special)
    }

    fn add_devices(&mut self) -> io::Result<()> {
        let devices = in_sandbox(Path::new("/dev"));
        self.directory(&devices, 0o755)?;
        for name in DEVICES {
            let device = Path::new("/dev").join(name);
            if fs::metadata(&device).is_ok_and(|it| it.file_type().is_char_device()) {
                self.add(Action::File, Path::new(""), &devices.join(name), true)?;
                self.add(Action::BindReadOnly, &device, &devices.join(name), false)?;
            }
        }
        for (name, target) in DEVICE_LINKS {
            self.add(Action::Link, Path::new(target), &devices.join(name), true)?;
        }
        for name in ["pts", "shm"] {
            self.directory(&devices.join(name), 0o755)?;
        }
        self.add(Action::BindReadOnly, Path::new("/dev/pts"), &devices.join("pts"), false)
    }

    /// New directories in the place of those that are hidden.
    fn add_private(&mut self, protected: &Protected) -> io::Result<()> {
        for (number, hidden) in protected.hidden.iter().enumerate() {
            let private = Path::new("private").join(number.to_string());
            let mode = hidden.mode.unwrap_or_else(|| permissions(&hidden.path));
            self.directory(&private, mode)?;
            self.add(Action::Bind, &private, &in_sandbox(&hidden.path), true)?;
            self.areas.push((private, Area { real: hidden.path.clone(), is_layer: false }));
        }
        for home in &protected.homes {
            self.make_way(protected, home)?;
        }
        // Where the programs of some systems are: a link in a runtime directory.
        for entry in fs::read_dir("/run").into_iter().flatten().flatten() {
            if let (Ok(target), Some(at)) =
                (fs::read_link(entry.path()), private(protected, &entry.path()))
            {
                self.add(Action::Link, &target, &at, false)?;
            }
        }
        Ok(())
    }

    /// Makes all directories down to a hidden one, and that itself. What is not hidden is there.
    fn make_way(&mut self, protected: &Protected, path: &Path) -> io::Result<()> {
        let hidden: Vec<&Path> =
            path.ancestors().filter(|it| protected.place(it).is_some()).collect();
        for directory in hidden.into_iter().rev() {
            let Some(at) = private(protected, directory) else { continue };
            self.directory(&at, permissions(directory))?;
        }
        Ok(())
    }

    fn expose(&mut self, protected: &Protected, exposed: &Exposed) -> io::Result<()> {
        for path in &exposed.paths {
            let Some(at) = private(protected, path) else { continue };
            if let Some(parent) = path.parent() {
                self.make_way(protected, parent)?;
            }
            if path.is_dir() {
                self.directory(&at, 0o755)?;
            } else {
                self.add(Action::File, Path::new(""), &at, true)?;
            }
            self.add(Action::BindReadOnly, path, &in_sandbox(path), true)?;
        }
        for (link, target) in &exposed.links {
            let is_shown = exposed.paths.iter().any(|path| link.starts_with(path));
            if let Some(at) = private(protected, link).filter(|_| !is_shown) {
                if let Some(parent) = link.parent() {
                    self.make_way(protected, parent)?;
                }
                self.add(Action::Link, target, &at, true)?;
            }
        }
        Ok(())
    }

    /// Nothing in the place of sockets and credentials that could be seen.
    fn mask(&mut self, protected: &Protected, exposed: &Exposed) -> io::Result<()> {
        let is_seen = |path: &Path| {
            protected.place(path).is_none() || exposed.paths.iter().any(|it| path.starts_with(it))
        };
        let is_masked = |path: &Path| is_seen(path) && !path.starts_with("/dev");
        let sockets = host::sockets().into_iter().filter_map(|path| path.canonicalize().ok());
        for path in sockets.filter(|path| is_masked(path)) {
            // One may be gone by then.
            self.add(Action::BindReadOnly, Path::new(NO_FILE), &in_sandbox(&path), false)?;
        }
        let shown = exposed.paths.iter().flat_map(|path| host::secrets_in(path));
        for (path, is_directory) in host::credentials().into_iter().chain(shown) {
            let may_read = rustix::fs::access(&path, rustix::fs::Access::READ_OK).is_ok();
            if may_read && is_masked(&path) {
                let source = if is_directory { NO_DIRECTORY } else { NO_FILE };
                self.add(Action::BindReadOnly, Path::new(source), &in_sandbox(&path), true)?;
            }
        }
        Ok(())
    }
}

/// The place of a hidden path below the top.
fn private(protected: &Protected, path: &Path) -> Option<PathBuf> {
    let number = protected.place(path)?;
    let rest = path.strip_prefix(&protected.hidden[number].path).ok()?;
    Some(Path::new("private").join(number.to_string()).join(rest))
}

/// The permissions of a directory in the place of one of the host: one that cannot write there cannot write here.
fn permissions(directory: &Path) -> u32 {
    let may_write = rustix::fs::access(directory, rustix::fs::Access::WRITE_OK).is_ok();
    if may_write { 0o755 } else { 0o555 }
}

/// Where a path of the host is below the top.
fn in_sandbox(path: &Path) -> PathBuf {
    Path::new(ROOT).join(path.strip_prefix("/").unwrap_or(path))
}

fn text(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}
