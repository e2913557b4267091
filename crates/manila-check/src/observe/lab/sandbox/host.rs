//! What of the host is kept from a run: homes, temporary and runtime directories, sockets, credentials.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// Directories that are private to a run wherever they are.
const PRIVATE: &[(&str, Option<u32>)] = &[
    ("/home", None),
    ("/tmp", Some(0o1777)),
    ("/var/tmp", Some(0o1777)),
    ("/run", None),
    ("/var/run", None),
    ("/dev/shm", Some(0o1777)),
];
/// Directories of the system, which are not homes although an account may say so.
const SYSTEM: &[&str] = &[
    "/",
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix",
    "/opt",
    "/proc",
    "/sbin",
    "/srv",
    "/sys",
    "/usr",
    "/usr/bin",
    "/usr/lib",
    "/usr/local",
    "/usr/local/bin",
    "/usr/sbin",
    "/usr/share",
    "/var",
    "/var/lib",
];
/// The first number of an account that belongs to a person.
const FIRST_PERSON: u32 = 1000;
/// Files and directories that hold credentials of the system, which its superuser could read.
const CREDENTIALS: &[&str] = &[
    "/etc/NetworkManager/system-connections",
    "/etc/docker/key.json",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/krb5.keytab",
    "/etc/kubernetes",
    "/etc/letsencrypt",
    "/etc/ppp/chap-secrets",
    "/etc/ppp/pap-secrets",
    "/etc/rancher",
    "/etc/security/opasswd",
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/ssl/private",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/var/lib/docker",
    "/var/lib/kubelet",
    "/var/mail",
    "/var/spool/cron",
];
/// Names of files and directories that hold credentials wherever they are.
const SECRET_NAMES: &[&str] = &[
    ".aws",
    ".azure",
    ".docker",
    ".env",
    ".git-credentials",
    ".gnupg",
    ".kube",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".ssh",
    "credentials",
    "credentials.json",
    "credentials.toml",
];

/// A directory in whose place a run finds one of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hidden {
    /// Without links.
    pub(super) path: PathBuf,
    /// The permissions of the one in its place, if they are not those that we have.
    pub(super) mode: Option<u32>,
}

/// The hidden directories, none of which is below another, and the homes, which may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Protected {
    pub(super) hidden: Vec<Hidden>,
    pub(super) homes: Vec<PathBuf>,
}

impl Protected {
    /// What is kept from a run, from the accounts of the system and the variables of ours.
    pub(super) fn new(
        accounts: &str,
        home: Option<PathBuf>,
        runtime: Option<PathBuf>,
    ) -> Protected {
        let real = |path: PathBuf| path.canonicalize().ok().filter(|path| path.is_dir());
        let homes: BTreeSet<PathBuf> = persons(accounts)
            .chain(home)
            .chain(runtime)
            .filter(|path| path.is_absolute())
            .filter_map(real)
            .filter(|path| !SYSTEM.iter().any(|system| path == Path::new(system)))
            .collect();
        let fixed = PRIVATE.iter().filter_map(|(path, mode)| {
            Some(Hidden { path: real(PathBuf::from(path))?, mode: *mode })
        });
        let mut all: Vec<Hidden> = fixed.collect();
        all.extend(homes.iter().map(|path| Hidden { path: path.clone(), mode: None }));
        // Where a home is one of the fixed ones too, those permissions count.
        all.sort_by(|one, other| one.path.cmp(&other.path).then(other.mode.cmp(&one.mode)));
        all.dedup_by(|next, protected| next.path == protected.path);
        let paths: Vec<PathBuf> = all.iter().map(|it| it.path.clone()).collect();
        let is_below = |path: &Path| paths.iter().any(|it| path != it && path.starts_with(it));
        all.retain(|it| !is_below(&it.path));
        Protected { hidden: all, homes: homes.into_iter().collect() }
    }

    /// The hidden directory that this path, which has no links in it, is or is below.
    pub(super) fn place(&self, path: &Path) -> Option<usize> {
        self.hidden.iter().position(|hidden| path.starts_with(&hidden.path))
    }

    /// Whether a directory is too much to show: a hidden one, a home, or one that holds either.
    pub(super) fn holds_home(&self, directory: &Path) -> bool {
        let hidden = self.hidden.iter().map(|hidden| &hidden.path);
        hidden.chain(&self.homes).any(|protected| protected.starts_with(directory))
    }
}

/// The homes of the superuser and of persons.
fn persons(accounts: &str) -> impl Iterator<Item = PathBuf> {
    accounts.lines().filter_map(|line| {
        let mut fields = line.split(':');
        let number: u32 = fields.nth(2)?.parse().ok()?;
        let home = fields.nth(2)?;
        (number == 0 || number >= FIRST_PERSON).then(|| PathBuf::from(home))
    })
}

/// Where something is mounted.
pub(super) fn mounts() -> Vec<PathBuf> {
    mount_points(&fs::read_to_string("/proc/self/mountinfo").unwrap_or_default())
}

fn mount_points(text: &str) -> Vec<PathBuf> {
    text.lines().filter_map(|line| Some(unescaped(line.split(' ').nth(4)?))).collect()
}

/// A path without the escapes for blanks, tabs, ends of lines and backslashes.
fn unescaped(text: &str) -> PathBuf {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..3).and_then(|it| std::str::from_utf8(it).ok());
        let escaped = digits.and_then(|it| u8::from_str_radix(it, 8).ok());
        let escaped = escaped.filter(|_| *first == b'\\');
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &after[3..] } else { after };
    }
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

/// The sockets of the host that have a path.
pub(super) fn sockets() -> Vec<PathBuf> {
    let text = fs::read_to_string("/proc/net/unix").unwrap_or_default();
    let paths: BTreeSet<PathBuf> = text
        .lines()
        .filter_map(|line| line.split_whitespace().nth(7))
        .filter(|path| path.starts_with('/'))
        .map(PathBuf::from)
        .collect();
    paths.into_iter().collect()
}

/// What holds credentials of the system, as far as it is there; with whether it is a directory.
pub(super) fn credentials() -> Vec<(PathBuf, bool)> {
    let keys = fs::read_dir("/etc/ssh").into_iter().flatten().flatten().map(|it| it.path());
    let is_key = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("ssh_host_") && name.ends_with("_key")
    };
    let fixed = CREDENTIALS.iter().map(PathBuf::from);
    fixed.chain(keys.filter(is_key)).filter_map(existing).collect()
}

/// What holds credentials in a directory that is shown.
pub(super) fn secrets_in(directory: &Path) -> Vec<(PathBuf, bool)> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let is_secret = |name: &str| SECRET_NAMES.contains(&name) || name.starts_with(".env.");
    let own = entries.filter(|it| is_secret(&it.file_name().to_string_lossy())).map(|it| it.path());
    own.chain([directory.join(".git/config")]).filter_map(existing).collect()
}

/// A path that is there without being a link, and whether it is a directory.
fn existing(path: PathBuf) -> Option<(PathBuf, bool)> {
    let about = fs::symlink_metadata(&path).ok().filter(|about| !about.is_symlink())?;
    Some((path, about.is_dir()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_of_persons_and_of_the_superuser_are_kept_and_those_of_services_are_not() {
        let top = tempfile::tempdir().expect("a directory");
        let top = top.path().canonicalize().expect("a path");
        for name in ["root", "ada", "ada/deep", "service", "own"] {
            fs::create_dir_all(top.join(name)).expect("a directory");
        }
        let top = top.display();
        let accounts = format!(
            "root:x:0:0::{top}/root:/bin/sh\ndaemon:x:1:1::{top}/service:/bin/false\n\
             ada:x:1000:1000::{top}/ada:/bin/sh\nbob:x:1001:1001::{top}/nowhere:/bin/sh\n\
             odd:x:1002:1002::/usr:/bin/sh\nbroken\n"
        );
        let protected =
            Protected::new(&accounts, Some(format!("{top}/own").into()), Some("relative".into()));
        let homes: Vec<String> =
            protected.homes.iter().map(|it| it.display().to_string()).collect();
        assert_eq!(homes, [format!("{top}/ada"), format!("{top}/own"), format!("{top}/root")]);
        assert!(
            protected
                .hidden
                .iter()
                .any(|it| it.path == Path::new("/tmp") && it.mode == Some(0o1777))
        );
        assert!(protected.holds_home(Path::new("/")) && !protected.holds_home(Path::new("/usr")));
        assert_eq!(protected.place(Path::new("/usr/bin")), None);
        // The directory of this test is itself in one that is hidden.
        for home in &protected.homes {
            assert!(protected.place(home).is_some());
        }
    }

    #[test]
    fn hidden_directories_are_not_below_each_other() {
        let protected = Protected::new("root:x:0:0::/tmp:/bin/sh\n", Some("/var/tmp".into()), None);
        let tmp = protected.hidden.iter().find(|it| it.path == Path::new("/tmp"));
        assert_eq!(tmp.map(|it| it.mode), Some(Some(0o1777)));
        for one in &protected.hidden {
            let others = protected.hidden.iter().filter(|other| other.path != one.path);
            assert!(others.clone().all(|other| !other.path.starts_with(&one.path)), "{one:?}");
        }
    }

    #[test]
    fn mount_points_may_have_blanks() {
        let text =
            "36 35 98:0 / /mnt/a\\040b\\134c rw - ext4 /dev/sda rw\n37 35 0:1 / / rw - x y z\n";
        assert_eq!(mount_points(text), [PathBuf::from("/mnt/a b\\c"), PathBuf::from("/")]);
    }

    #[test]
    fn credentials_are_known_by_their_names() {
        let directory = tempfile::tempdir().expect("a directory");
        for name in [".env", ".env.local", "credentials.toml", "main.py"] {
            fs::write(directory.path().join(name), "x").expect("a file");
        }
        fs::create_dir_all(directory.path().join(".git")).expect("a directory");
        fs::write(directory.path().join(".git/config"), "x").expect("a file");
        fs::create_dir(directory.path().join(".ssh")).expect("a directory");
        let mut found: Vec<_> = secrets_in(directory.path())
            .into_iter()
            .map(|(path, is_directory)| {
                let path = path.strip_prefix(directory.path()).expect("below").to_owned();
                (path.display().to_string(), is_directory)
            })
            .collect();
        found.sort();
        let expected = [".env", ".env.local", ".git/config", ".ssh", "credentials.toml"];
        assert_eq!(found, expected.map(|name| (name.to_owned(), name == ".ssh")));
    }
}
