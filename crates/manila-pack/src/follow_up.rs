//! What follows an answer of a program that has a pack: the next page of a list, and the command that renews
//! its credentials.

use crate::call::{Call, Ends, Open};
use crate::pack::Lookup;
use crate::subject::{Subject, subjects};
use crate::tri::Tri;

/// How to ask for the rest of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paging {
    /// The option that takes the cursor.
    pub flag: String,
    /// A JSON pointer to the cursor in an answer.
    pub cursor: String,
}

/// How to ask for the rest of what a call lists, if the pack of its program says where the cursor stands.
///
/// ```
/// use manila_pack::{BUILTIN, paging};
///
/// let argv = ["aws", "s3api", "list-buckets"].map(str::to_owned);
/// let paging = paging(&argv, &BUILTIN).ok_or("aws has pages")?;
/// assert_eq!((paging.flag.as_str(), paging.cursor.as_str()), ("--starting-token", "/NextToken"));
/// # Ok::<(), &str>(())
/// ```
pub fn paging(argv: &[String], packs: &dyn Lookup) -> Option<Paging> {
    let subject = own_subject(argv, packs)?;
    let words: Vec<&str> = subject.arguments.iter().map(String::as_str).collect();
    let call = Call::new(&subject.program, &words, subject.pack.model(), Open::No, Ends::WithCall);
    let pages = subject.pack.model().page.iter();
    let mut fitting =
        pages.filter(|page| call.command(&page.command).any(|(tri, _)| tri == Tri::Yes));
    fitting.find_map(|page| {
        let (flag, cursor) = (page.flag.as_ref()?, page.cursor.as_ref()?);
        // A caller that asks for a part of the list gets that part.
        let is_cut = |cut_by: &str| words.iter().any(|word| word.split('=').next() == Some(cut_by));
        if page.cut_by.as_ref().is_some_and(|cut_by| is_cut(cut_by)) {
            return None;
        }
        Some(Paging { flag: flag.to_string(), cursor: cursor.to_string() })
    })
}

/// A command that renews the credentials of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefreshCommand {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// It asks a person.
    pub interactive: bool,
}

/// What renews the credentials of the program of a call, if its pack says so.
pub fn refresh_command(argv: &[String], packs: &dyn Lookup) -> Option<RefreshCommand> {
    let subject = own_subject(argv, packs)?;
    let refresh = subject.pack.model().refresh.as_ref()?;
    let argv: Vec<String> = refresh.argv.iter().map(ToString::to_string).collect();
    (!argv.is_empty()).then_some(RefreshCommand { argv, interactive: refresh.interactive })
}

/// The innermost program of a call whose answer is that of the whole call.
fn own_subject(argv: &[String], packs: &dyn Lookup) -> Option<Subject> {
    subjects(argv, packs).into_iter().rfind(|subject| subject.owns_status)
}
