//! From what a caller typed to the one thing that is meant, or to a failure that helps.

mod near;

use crate::error::{Candidate, Candidates, Error, Noun};
use crate::store::{Id, Label, Project, Section, Store, Task};
use near::nearest;
use std::borrow::Cow;

/// Which tasks a text can mean. An id means its task in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Among {
    Open,
    Completed,
}

impl Among {
    fn has(self, task: &Task) -> bool {
        task.is_open() == (self == Among::Open)
    }

    fn noun(self) -> Noun {
        match self {
            Among::Open => Noun::OpenTask,
            Among::Completed => Noun::CompletedTask,
        }
    }

    fn listing(self) -> &'static str {
        match self {
            Among::Open => "`td ls` lists the open tasks",
            Among::Completed => "`td ls --all` lists the completed tasks too",
        }
    }
}

/// Where in the store the task is that is meant. `call` makes the same call with an id instead.
pub(crate) fn task(
    store: &Store,
    query: &str,
    among: Among,
    call: impl Fn(&Id) -> String,
) -> Result<usize, Error> {
    if let Some(at) = store.tasks.iter().position(|task| task.id.0 == query) {
        return Ok(at);
    }
    let folded = query.to_lowercase();
    let (mut same, mut similar) = (Vec::new(), Vec::new());
    for (at, task) in store.tasks.iter().enumerate() {
        let content = task.content.to_lowercase();
        if among.has(task) && content == folded {
            same.push(at);
        }
        if task.id.0.starts_with(query) || among.has(task) && content.contains(&folded) {
            similar.push(at);
        }
    }
    let found = if same.is_empty() { similar } else { same };
    match found[..] {
        [one] => Ok(one),
        [] => Err(no_task(store, query, among, call)),
        [..] => Err(Error::AmbiguousMatch {
            query: query.to_owned(),
            call: call(&any_id()),
            candidates: Candidates(found.iter().map(|at| candidate(&store.tasks[*at])).collect()),
        }),
    }
}

/// What stands for an id in a call whose caller must choose one: no name of anything has it in it.
fn any_id() -> Id {
    Id("<ID>".to_owned())
}

fn candidate(task: &Task) -> Candidate {
    Candidate { id: task.id.clone(), content: task.content.clone() }
}

fn no_task(store: &Store, query: &str, among: Among, call: impl Fn(&Id) -> String) -> Error {
    let tasks = || store.tasks.iter().filter(|task| among.has(task));
    let others = store.tasks.iter().filter(|task| !among.has(task));
    let suggestion = if let Some(task) = nearest(tasks(), query, |task| &task.content) {
        format!("did you mean '{}'? `{}`", task.content, call(&task.id))
    } else if let Some(task) = nearest(others, query, |task| &task.content) {
        let state = if task.is_open() { "open" } else { "completed" };
        format!("'{}' is {state}: `td show {}`", task.content, task.id)
    } else {
        among.listing().to_owned()
    };
    Error::NotFound { noun: among.noun(), query: query.to_owned(), suggestion }
}

/// Something that people call by a name.
trait Named {
    const NOUN: Noun;

    fn id(&self) -> &Id;
    fn name(&self) -> &str;

    /// What distinguishes it from others of the same name.
    fn full_name(&self, _: &Store) -> String {
        self.name().to_owned()
    }
}

impl Named for Project {
    const NOUN: Noun = Noun::Project;

    fn id(&self) -> &Id {
        &self.id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for Label {
    const NOUN: Noun = Noun::Label;

    fn id(&self) -> &Id {
        &self.id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for Section {
    const NOUN: Noun = Noun::Section;

    fn id(&self) -> &Id {
        &self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn full_name(&self, store: &Store) -> String {
        format!("{} / {}", store.project_name(&self.project_id), self.name)
    }
}

/// The project that is meant.
pub(crate) fn project<'b>(store: &'b Store, query: &str) -> Result<&'b Project, Error> {
    let making = format!("td project add {}", quote(query));
    called(store, &store.projects, query, "td projects", &making)
}

/// The label that is meant.
pub(crate) fn label<'b>(store: &'b Store, query: &str) -> Result<&'b Label, Error> {
    let making = format!("td label add {}", quote(query));
    called(store, &store.labels, query, "td labels", &making)
}

/// The section that is meant, of a project or wherever it is.
pub(crate) fn section<'b>(
    store: &'b Store,
    project: Option<&Project>,
    query: &str,
) -> Result<&'b Section, Error> {
    let is_there = |section: &&Section| project.is_none_or(|it| section.project_id == it.id);
    let sections = store.sections.iter().filter(is_there);
    let of = project.map_or_else(String::new, |it| format!(" -p {}", quote(&it.name)));
    let to = if of.is_empty() { " -p PROJECT" } else { &of };
    let making = format!("td section add {}{to}", quote(query));
    called(store, sections, query, &format!("td sections{of}"), &making)
}

/// The one of these that has that id or that name, in capitals or not. If there is none, `listing` is
/// the call that lists what there is, and `making` the one that makes it.
fn called<'b, T: Named>(
    store: &Store,
    all: impl IntoIterator<Item = &'b T>,
    query: &str,
    listing: &str,
    making: &str,
) -> Result<&'b T, Error> {
    let all: Vec<&T> = all.into_iter().collect();
    if let Some(one) = all.iter().find(|one| one.id().0 == query) {
        return Ok(one);
    }
    let same: Vec<&T> = all.iter().copied().filter(|one| same_name(one.name(), query)).collect();
    match same[..] {
        [one] => Ok(one),
        [] => {
            let suggestion = match nearest(all, query, T::name) {
                Some(one) => format!("did you mean '{}'? `{listing}` lists them", one.name()),
                None => format!("`{listing}` lists them, `{making}` adds it"),
            };
            Err(Error::NotFound { noun: T::NOUN, query: query.to_owned(), suggestion })
        }
        [..] => {
            let candidate =
                |one: &&T| Candidate { id: one.id().clone(), content: one.full_name(store) };
            Err(Error::AmbiguousMatch {
                query: query.to_owned(),
                candidates: Candidates(same.iter().map(candidate).collect()),
                call: format!("td ls --{} {}", T::NOUN, any_id()),
            })
        }
    }
}

/// Whether two names are the same but for capitals.
pub(crate) fn same_name(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// A word as a shell takes it: what a suggestion says may be typed as it is.
pub(crate) fn quote(word: &str) -> Cow<'_, str> {
    shlex::try_quote(word).unwrap_or(Cow::Borrowed("…"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::tests::store_of;
    use jiff::Timestamp;
    use manila_clap::Failure;

    fn meant(store: &Store, query: &str, among: Among) -> Result<String, Error> {
        let at = task(store, query, among, |id| format!("td done {id}"))?;
        Ok(store.tasks[at].content.clone())
    }

    fn message(error: Result<String, Error>) -> String {
        format!("{:?}", error.unwrap_err().into_error())
    }

    #[test]
    fn a_task_has_an_id_a_prefix_and_a_text() {
        let store = store_of(&["Buy milk", "Sell the car", "Milk"]);
        let id = store.tasks[1].id.0.clone();
        for query in [&*id, &id[..5], "car", "SELL THE CAR", "sell"] {
            assert_eq!(meant(&store, query, Among::Open).unwrap(), "Sell the car", "{query}");
        }
        assert_eq!(meant(&store, "milk", Among::Open).unwrap(), "Milk", "the whole text wins");
    }

    #[test]
    fn several_tasks_are_reported_and_none_is_recommended() {
        let store = store_of(&["Buy milk", "Buy bread"]);
        let message = message(meant(&store, "buy", Among::Open));
        assert!(message.contains("'Buy milk' (9e3779b1), 'Buy bread' (3c6ef362)"), "{message}");
        assert!(message.contains("9e3779b1, 3c6ef362: `td done <ID>`"), "{message}");
    }

    #[test]
    fn a_beginning_of_one_id_that_is_in_the_text_of_another_is_ambiguous() {
        let store = store_of(&["one", "has 9e in it"]);
        assert!(matches!(meant(&store, "9e", Among::Open), Err(Error::AmbiguousMatch { .. })));
    }

    #[test]
    fn nothing_found_names_the_nearest() {
        let store = store_of(&["Buy milk", "Sell the car"]);
        for query in ["by mlik", "mlk"] {
            let near = message(meant(&store, query, Among::Open));
            assert!(near.contains("did you mean 'Buy milk'? `td done 9e3779b1`"), "{near}");
        }
        let far = message(meant(&store, "xyz", Among::Open));
        assert!(far.contains("`td ls` lists the open tasks"), "{far}");
        let long = message(meant(&store, &"x".repeat(1 << 20), Among::Open));
        assert!(long.contains("`td ls`"));
    }

    #[test]
    fn a_text_means_tasks_of_one_state_and_an_id_any() {
        let mut store = store_of(&["Buy milk"]);
        store.tasks[0].completed_at = Some(Timestamp::UNIX_EPOCH);
        let message = message(meant(&store, "buy milk", Among::Open));
        assert!(message.contains("'Buy milk' is completed: `td show 9e3779b1`"), "{message}");
        assert_eq!(meant(&store, "9e37", Among::Open).unwrap(), "Buy milk");
        assert_eq!(meant(&store, "milk", Among::Completed).unwrap(), "Buy milk");
    }

    #[test]
    fn what_a_suggestion_says_can_be_typed() {
        let store = Store::default();
        let error = project(&store, "x; rm -rf ~").unwrap_err();
        let message = format!("{:?}", error.into_error());
        assert!(message.contains("`td project add 'x; rm -rf ~'`"), "{message}");
        assert_eq!(project(&store, "INBOX").unwrap().id, Id::inbox());
    }
}
