//! What running a command may do, as far as its name and its description tell.

use super::is_among;
use crate::surface::Effects;

/// Commands by these names only read, in every program that anybody has seen.
const READING: &str = "\
    about analyze audit cat check codes count describe dialects diff doctor dump env events \
    explain find follow get grep health help history id info inspect introspect lint list \
    log logs lookup ls manifest metrics monitor outdated path paths peek preview print ps \
    query read report schema search show sleep stat stats status stream summary tail top \
    tree validate verify version view wait watch where which whoami completion completions \
    man";
/// Commands by these names change something.
const WRITING: &str = "\
    add adduser apply append archive assign attach auth build checkout clone close commit \
    compile configure copy cp create deploy disable done download edit enable exec fetch fix \
    import init insert install link load login logout make merge migrate mkdir move mv new \
    open patch post publish pull push put rebase record register rename reopen replace \
    restart restore resume run save send serve set start store submit sync tag touch undo \
    update upgrade upload write";
/// Commands by these names take something away.
const DESTROYING: &str = "\
    abort cancel clean cleanup clear del delete destroy discard drop erase flush forget gc \
    kill prune purge remove reset revoke rm rmdir stop terminate trash truncate unset \
    uninstall unlink unpublish wipe";
/// Verbs with which the description of a reading command begins.
const READING_VERBS: &str = "\
    list lists show shows print prints display displays search searches find finds describe \
    describes analyze analyzes compare compares examine examines follow follows monitor tail \
    validate validates verify verifies wait waits watch watches check checks count counts \
    explain explains report reports inspect inspects view views";
/// Those of them that nobody uses for anything else.
const LISTING_VERBS: &str = "list lists show shows count counts";
/// Verbs of changing something, wherever they stand in a description. "Deleted" and "created" are of
/// the past and tell of what is shown.
const CHANGING_VERBS: &str = "\
    add append apply build change clean clear commit compile configure create delete deploy \
    destroy disable download drop edit enable erase execute fix import initialize insert \
    install kill merge migrate modify move overwrite post publish purge push rebuild \
    register remove rename repair replace reset restart restore save send set start stop \
    store sync uninstall update upgrade upload write";

/// What a command may do by its words and its description, and why that is believed.
pub(super) fn of(path: &[String], about: &str) -> (Effects, String) {
    let Some(name) = path.last().map(|it| it.to_lowercase()) else {
        return (Effects::Unknown, String::new());
    };
    let changes = changing_verb(about);
    if is_called(&name, DESTROYING) {
        return (Effects::Destroys, format!("it is called {name}"));
    }
    if is_called(&name, READING) {
        return match changes {
            Some(verb) => (
                Effects::Unknown,
                format!("it is called {name}, but its help speaks of \"{verb}\""),
            ),
            None => (Effects::None, format!("it is called {name}")),
        };
    }
    // `open`, `tag` and `load` are names of things too, and "List open tickets" tells which is meant.
    let lists = reading_verb(about).filter(|verb| is_among(LISTING_VERBS, verb));
    if is_called(&name, WRITING) && (lists.is_none() || changes.is_some()) {
        return (Effects::Writes, format!("it is called {name}"));
    }
    let untold = (Effects::Unknown, "neither its name nor its help tells".to_owned());
    match reading_verb(about) {
        Some(verb) if changes.is_none() => {
            (Effects::None, format!("its help begins with \"{verb}\""))
        }
        None => match words(about).next().filter(|first| is_changing(first)) {
            Some(verb) => (Effects::Writes, format!("its help begins with \"{verb}\"")),
            None => untold,
        },
        Some(_) => untold,
    }
}

/// What a program without commands may do. Here every word of its help counts: a wrong guess would run it.
pub(super) fn of_program(name: &str, about: &str, help: &str) -> (Effects, String) {
    if is_called(name, DESTROYING) {
        return (Effects::Destroys, format!("it is called {name}"));
    }
    let reads = is_called(name, READING) || reading_verb(about).is_some();
    match changing_verb(help) {
        None if reads && !about.is_empty() => {
            (Effects::None, "its help speaks of reading and never of changing anything".to_owned())
        }
        Some(verb) => (Effects::Unknown, format!("its help speaks of \"{verb}\"")),
        None => (Effects::Unknown, "its help does not tell".to_owned()),
    }
}

/// Whether a name is one of these, or begins with one: `list-all`, `show_config`.
fn is_called(name: &str, names: &str) -> bool {
    let first = name.split(['-', '_', ':']).next().unwrap_or(name);
    let last = name.rsplit(':').next().unwrap_or(name);
    is_among(names, name)
        || is_among(names, last)
        || (is_among(names, first) && first.len() < name.len() && !name.contains(':'))
}

fn reading_verb(about: &str) -> Option<String> {
    let first = words(about).next()?.trim_end_matches(',').to_owned();
    is_among(READING_VERBS, &first).then_some(first)
}

/// The first verb of changing something. In a sentence that begins with a verb of reading, the same word
/// may be a noun ("Show changes between commits"), so there it counts only where a second verb stands:
/// "Check the setup and fix it".
fn changing_verb(text: &str) -> Option<String> {
    text.split(['.', '\n', ';']).find_map(|sentence| {
        let reads = reading_verb(sentence).is_some();
        let mut is_place = true;
        words(sentence).find(|word| {
            let is_verb = (is_place || !reads) && is_changing(word.trim_end_matches(','));
            is_place = word.ends_with(',') || matches!(word.as_str(), "and" | "or" | "then");
            is_verb
        })
    })
}

fn is_changing(word: &str) -> bool {
    let stems = [Some(word), word.strip_suffix('s'), word.strip_suffix("es")];
    stems.into_iter().flatten().any(|stem| is_among(CHANGING_VERBS, stem))
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '-' | '\'' | ',');
    text.split(move |it: char| !is_part(it)).filter(|it| !it.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_descriptions_tell() {
        for (path, about, expected) in [
            ("task list", "", Effects::None),
            ("list-all", "", Effects::None),
            ("config get", "Get a value", Effects::None),
            ("projects", "List the projects", Effects::None),
            ("show", "Show what was deleted", Effects::None),
            ("branch", "List, create, or delete branches", Effects::Unknown),
            ("get", "add dependencies to current module and install them", Effects::Unknown),
            ("diff", "Show changes between commits", Effects::None),
            ("log", "Show commit logs. Then it deletes them.", Effects::Unknown),
            ("doctor", "Check the setup and fix it", Effects::Unknown),
            ("open", "List open tickets", Effects::None),
            ("open", "View it in the browser", Effects::Writes),
            ("tag", "List, create or delete a tag", Effects::Writes),
            ("add", "Add a task", Effects::Writes),
            ("rm", "", Effects::Destroys),
            ("delete-all", "List what was deleted", Effects::Destroys),
            ("clusterrole", "Create a cluster role", Effects::Writes),
            ("frobnicate", "Frobnicates", Effects::Unknown),
            ("listen", "", Effects::Unknown),
        ] {
            let path: Vec<String> = path.split(' ').map(str::to_owned).collect();
            assert_eq!(of(&path, about).0, expected, "{path:?}");
        }
    }

    #[test]
    fn a_program_without_commands_is_run_only_if_nothing_speaks_against_it() {
        assert_eq!(
            of_program("peek", "Show the first lines", "Show the first lines\n--help").0,
            Effects::None
        );
        assert_eq!(
            of_program("peek", "Show it", "Show it\n--in-place  Write it back").0,
            Effects::Unknown
        );
        assert_eq!(of_program("rm", "Remove files", "").0, Effects::Destroys);
        assert_eq!(of_program("list", "", "").0, Effects::Unknown);
    }
}
