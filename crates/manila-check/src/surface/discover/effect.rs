//! What running a command may do, as far as its name and its description say. A wrong guess runs
//! something that acts, so a command reads only if nothing about it says otherwise.

use super::word_list::is_among;
use crate::surface::model::Flag;
use manila_pack::Effect;

/// Commands by these names only read.
const READING: &str = "\
    about cat codes completion completions count describe dialects diff explain find grep \
    health help history id info inspect introspect list logs lookup ls man manifest metrics \
    outdated path paths peek print ps schema search show stat stats status summary tree \
    version view where which whoami";
/// Commands by these names read in one program and act in another, so their help must say the same:
/// `log` may write a line, `get` may install, `audit` may fix.
const READING_IF_DECLARED: &str = "\
    analyze audit check doctor dump env events follow get lint log monitor preview query read \
    report sleep stream tail top validate verify wait watch";
/// Commands by these names change something.
const WRITING: &str = "\
    accept acknowledge activate add adduser annotate append apply approve archive assign attach \
    auth authenticate authorize ban block boot bootstrap build bump checkout clone close commit \
    compile configure connect convert copy cordon cp create deactivate decrypt deploy detach \
    disable dispatch done download edit emit enable encrypt enqueue eval exec execute expose \
    fetch fix flash fork format generate grant import init initialize insert install invite \
    invoke issue join launch leave link load lock login logout make mark merge migrate mirror \
    mkdir mount move mv new notify open optimize pack pair patch pause pay pin play post promote \
    provision publish pull push put reboot rebase rebuild record refresh refund register release \
    rename renew reopen repair replace reply request reserve restart restore resume retry \
    rollback rollout rotate run save scale schedule seed send serve set setup sign spawn split \
    stage start stash store submit subscribe suspend switch sync tag taint test touch train \
    transfer trigger unarchive unassign unban unblock uncordon undo unlock unpause unpin \
    unsubscribe up update upgrade upload use vote write";
/// Those of them that are names of things as well.
const THINGS: &str = "\
    archive build commit fork issue link patch play post record release request run schedule \
    stage stash store tag test transfer vote";
/// Commands by these names take something away.
const DESTROYING: &str = "\
    abort cancel clean cleanup clear compact decommission del delete deprecate deprovision \
    destroy discard disconnect down drain drop eject erase evict expire flush forget gc kick \
    kill leave nuke prune purge reap reject remove reset revert revoke rm rmdir shutdown squash \
    stop terminate trash truncate uninstall unlink unmount unpublish unregister unset untag \
    vacuum wipe";
/// Verbs with which the description of a reading command begins.
const READING_VERBS: &str = "\
    list lists show shows print prints display displays search searches find finds describe \
    describes analyze analyzes compare compares examine examines follow follows get gets \
    monitor tail validate validates verify verifies wait waits watch watches check checks count \
    counts explain explains report reports inspect inspects view views output outputs dump \
    dumps emit emits";
/// Those of them that stand for nothing else, whatever the command is called.
const SHOWING_VERBS: &str = "\
    list lists show shows print prints display displays view views describe describes count \
    counts explain explains";
/// Verbs of changing something, wherever they are in a description. "Deleted" and "created" are of
/// the past and describe what is shown.
const CHANGING_VERBS: &str = "\
    activate add append apply approve archive assign boot build bump cancel change clean clear \
    close commit compact compile configure create deactivate delete deploy deprecate destroy \
    detach disable discard dispatch download drop edit enable encrypt enqueue erase evict execute \
    expire fix flush generate grant import initialize insert install invite invoke kill launch \
    lock login logout manage merge migrate modify mount move mutate notify open overwrite patch pause \
    persist post promote provision prune publish purge push reboot rebuild record refresh \
    register reject release remove rename repair replace reset restart restore resume revert \
    revoke rollback rotate run save schedule seed send set shutdown sign spawn start stop store \
    submit subscribe suspend switch sync synchronize terminate toggle trigger truncate \
    uninstall unlink unlock unmount unpublish unset update upgrade upload vacuum wipe write";
/// Flags that only a command with effects has. One that the whole program has says nothing.
const EFFECT_FLAGS: &str = "\
    apply assume-yes auto-approve commit confirm delete dry-run dryrun execute fix force in-place \
    inplace install no-confirm no-dry-run no-verify overwrite prune purge push remove save \
    skip-confirmation update write yes";

/// The words by which a command is called.
pub(super) struct Words<'w> {
    pub path: &'w [String],
    pub aliases: &'w [String],
}

/// What a command may do by its words, its own flags and its description, and why that is believed. The
/// prose is all that its help says in sentences.
pub(super) fn of(
    words: &Words<'_>,
    own_flags: &[&Flag],
    about: &str,
    prose: &str,
) -> (Effect, String) {
    let path: Vec<String> = words.path.iter().map(|word| word.to_lowercase()).collect();
    let Some((name, above)) = path.split_last() else {
        return (Effect::Unknown, String::new());
    };
    if has_part(name, DESTROYING) {
        return (Effect::Destroys, format!("it is called {name}"));
    }
    if has_part(name, WRITING) {
        return (Effect::Writes, format!("it is called {name}"));
    }
    let begins = first_verb(about);
    let shows = begins.as_deref().is_some_and(|verb| is_among(SHOWING_VERBS, verb));
    let doubt = doubt(above, words.aliases, own_flags, shows)
        .or_else(|| changing_verb(prose).map(|verb| format!("its help speaks of \"{verb}\"")));
    if let Some(doubt) = doubt {
        let changes = words_of(about).next().filter(|first| is_changing(first));
        return match changes {
            Some(verb) => (Effect::Writes, format!("its help begins with \"{verb}\"")),
            None => (Effect::Unknown, doubt),
        };
    }
    let reads = begins.as_deref().is_some_and(|verb| is_among(READING_VERBS, verb));
    match begins.filter(|_| shows || reads) {
        _ if is_called(name, READING) => (Effect::None, format!("it is called {name}")),
        Some(_) if is_called(name, READING_IF_DECLARED) => {
            (Effect::None, format!("it is called {name}, and its help says the same"))
        }
        Some(verb) if shows => (Effect::None, format!("its help begins with \"{verb}\"")),
        _ => (Effect::Unknown, "neither its name nor its help says".to_owned()),
    }
}

/// Whether a command of this name acts, as far as its name says.
pub(super) fn acts(name: &str) -> bool {
    let name = name.to_lowercase();
    has_part(&name, DESTROYING) || has_part(&name, WRITING)
}

/// What suggests that a command has an effect, beside its own name and description.
fn doubt(above: &[String], aliases: &[String], own_flags: &[&Flag], shows: bool) -> Option<String> {
    // `gh run list`, "List recent runs": what stands above may be a thing, if the command says that it
    // shows it.
    let acts = |word: &&String| {
        has_part(word, DESTROYING)
            || (has_part(word, WRITING) && !(shows && is_among(THINGS, word)))
    };
    if let Some(word) = above.iter().find(acts) {
        return Some(format!("it is below {word}"));
    }
    let aliases = aliases.iter().map(|alias| alias.to_lowercase());
    let mut acting = aliases.filter(|it| has_part(it, DESTROYING) || has_part(it, WRITING));
    if let Some(alias) = acting.next() {
        return Some(format!("it is also called {alias}"));
    }
    let flag = own_flags
        .iter()
        .find(|flag| flag.long.as_deref().is_some_and(|long| is_among(EFFECT_FLAGS, long)))?;
    Some(format!("its help lists {}", flag.spelling()))
}

/// What a program without commands may do. Here every word of its help counts: a wrong guess would run it.
pub(super) fn of_program(name: &str, about: &str, help: &str) -> (Effect, String) {
    let name = name.to_lowercase();
    if has_part(&name, DESTROYING) {
        return (Effect::Destroys, format!("it is called {name}"));
    }
    if has_part(&name, WRITING) {
        return (Effect::Unknown, format!("it is called {name}"));
    }
    let verb = first_verb(about);
    let reads =
        is_called(&name, READING) || verb.is_some_and(|verb| is_among(READING_VERBS, &verb));
    match help.lines().find_map(|line| changing_verb(described(line))) {
        None if reads && !about.is_empty() => {
            (Effect::None, "its help speaks of reading and never of changing anything".to_owned())
        }
        Some(verb) => (Effect::Unknown, format!("its help speaks of \"{verb}\"")),
        None => (Effect::Unknown, "its help does not say".to_owned()),
    }
}

/// What a line of help says: of a flag that prints something, its description without the name, which may be that of
/// what is printed.
fn described(line: &str) -> &str {
    let text = line.trim();
    let about = text.split_once("  ").map_or("", |(_, about)| about.trim());
    let shows = first_verb(about).is_some_and(|verb| is_among(SHOWING_VERBS, &verb));
    if text.starts_with('-') && shows { about } else { text }
}

/// Whether the description of a flag says that it prints something and does nothing else.
pub(super) fn prints(about: &str) -> bool {
    let shows = first_verb(about).is_some_and(|verb| is_among(SHOWING_VERBS, &verb));
    shows && changing_verb(about).is_none()
}

/// Whether a name is one of these, or begins with one: `list-all`, `show_config`.
fn is_called(name: &str, names: &str) -> bool {
    let first = name.split(['-', '_', ':']).next().unwrap_or(name);
    let last = name.rsplit(':').next().unwrap_or(name);
    is_among(names, name)
        || is_among(names, last)
        || (is_among(names, first) && first.len() < name.len() && !name.contains(':'))
}

/// Whether any part of a name is one of these: `get-or-create`, `db:reset`.
fn has_part(name: &str, names: &str) -> bool {
    is_among(names, name) || name.split(['-', '_', ':', '.', '/']).any(|it| is_among(names, it))
}

/// The verb with which a description begins, if it is one of reading.
fn first_verb(about: &str) -> Option<String> {
    let first = words_of(about).next()?.trim_end_matches(',').to_owned();
    is_among(READING_VERBS, &first).then_some(first)
}

/// The first verb of changing something. In a sentence that begins with a verb of reading, the same word
/// may be a noun ("Show changes between commits"), so there it counts only where a second verb stands:
/// "Check the setup and fix it".
fn changing_verb(text: &str) -> Option<String> {
    text.split(['.', '\n', ';']).find_map(|sentence| {
        let reads = first_verb(sentence).is_some();
        let mut is_place = true;
        words_of(sentence).find_map(|word| {
            let bare = word.trim_end_matches(',');
            let acts = is_changing(bare) || (!reads && is_changing_form(bare));
            let is_verb = (is_place || !reads) && acts;
            is_place = word.ends_with(',') || matches!(bare, "and" | "or" | "then");
            is_verb.then(|| bare.to_owned())
        })
    })
}

fn is_changing(word: &str) -> bool {
    let stems = [Some(word), word.strip_suffix('s'), word.strip_suffix("es")];
    let in_y = word.strip_suffix("ies").map(|stem| format!("{stem}y"));
    stems.into_iter().flatten().any(|stem| is_among(CHANGING_VERBS, stem))
        || in_y.is_some_and(|stem| is_among(CHANGING_VERBS, &stem))
}

/// "A tool for deploying it."
fn is_changing_form(word: &str) -> bool {
    let Some(stem) = word.strip_suffix("ing") else { return false };
    let doubled = stem.chars().last().filter(|last| stem.ends_with(&format!("{last}{last}")));
    let single = doubled.map_or("", |_| &stem[..stem.len() - 1]);
    [stem, single].iter().any(|stem| is_among(CHANGING_VERBS, stem))
        || is_among(CHANGING_VERBS, &format!("{stem}e"))
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '-' | '\'' | ',');
    text.split(move |it: char| !is_part(it)).filter(|it| !it.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effects(path: &str, about: &str) -> Effect {
        let path: Vec<String> = path.split(' ').map(str::to_owned).collect();
        of(&Words { path: &path, aliases: &[] }, &[], about, about).0
    }

    #[test]
    fn names_and_descriptions_tell() {
        for (path, about, expected) in [
            ("task list", "", Effect::None),
            ("list-all", "", Effect::None),
            ("config get", "Get a value", Effect::None),
            ("config get", "", Effect::Unknown),
            ("projects", "List the projects", Effect::None),
            ("show", "Show what was deleted", Effect::None),
            ("branch", "List, create, or delete branches", Effect::Unknown),
            ("get", "add dependencies to current module and install them", Effect::Writes),
            ("diff", "Show changes between commits", Effect::None),
            ("log", "Show commit logs. Then it deletes them.", Effect::Unknown),
            ("log", "Log a message", Effect::Unknown),
            ("doctor", "Check the setup and fix it", Effect::Unknown),
            ("open", "List open tickets", Effect::Writes),
            ("open", "View it in the browser", Effect::Writes),
            ("tag", "List, create or delete a tag", Effect::Writes),
            ("add", "Add a task", Effect::Writes),
            ("rm", "", Effect::Destroys),
            ("delete-all", "List what was deleted", Effect::Destroys),
            ("clusterrole", "Create a cluster role", Effect::Writes),
            ("frobnicate", "Frobnicates", Effect::Unknown),
            ("listen", "", Effect::Unknown),
            ("projects", "Validates the projects", Effect::Unknown),
        ] {
            assert_eq!(effects(path, about), expected, "{path:?} {about:?}");
        }
    }

    #[test]
    fn commands_that_were_run_once_and_must_never_be_again() {
        for (path, about) in [
            ("store prune", "Removes unreferenced packages from the store"),
            ("org rm", "Remove a user from the organization"),
            ("apply", "Apply a configuration to a resource by file name or stdin"),
            ("apply view-last-applied", "View the latest last-applied-configuration annotations"),
            ("get-or-create", "Show a note"),
            ("prune list", "List what would be pruned"),
            ("db:reset", ""),
            ("run list", ""),
            ("status", "Deploy to production"),
            ("info", "A tool for deploying applications"),
        ] {
            assert_ne!(effects(path, about), Effect::None, "{path:?} {about:?}");
        }
        assert_eq!(effects("run list", "List recent runs"), Effect::None, "a run is a thing here");
    }

    #[test]
    fn another_name_or_a_flag_of_its_own_speaks_for_an_effect() {
        let path = ["list".to_owned()];
        let of = |alias: &str, long: &str| {
            let aliases = [alias.to_owned()];
            let flag = Flag { long: Some(long.to_owned()), ..Flag::default() };
            of(&Words { path: &path, aliases: &aliases }, &[&flag], "List it", "List it").0
        };
        assert_eq!(of("ls", "all"), Effect::None);
        assert_eq!(of("sync", "all"), Effect::Unknown);
        assert_eq!(of("ls", "dry-run"), Effect::Unknown);
    }

    #[test]
    fn a_program_without_commands_is_run_only_if_nothing_speaks_against_it() {
        assert_eq!(
            of_program("peek", "Show the first lines", "Show the first lines\n--help").0,
            Effect::None
        );
        assert_eq!(
            of_program("peek", "Show it", "Show it\n--in-place  Write it back").0,
            Effect::Unknown
        );
        assert_eq!(of_program("rm", "Remove files", "").0, Effect::Destroys);
        assert_eq!(of_program("list", "", "").0, Effect::Unknown);
        assert_eq!(of_program("deploy-list", "Show it", "Show it").0, Effect::Unknown);
    }

    #[test]
    fn a_flag_prints_if_its_description_says_nothing_else() {
        assert!(prints("Print the schema as JSON"));
        assert!(!prints("Update the schema"));
        assert!(!prints("Print the schema and update it"));
        assert!(!prints(""));
    }
}
