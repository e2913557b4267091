//! A served program: how it is called, what is known about it, and within which limits it runs.

use crate::catalog::Catalog;
use manila_check::{Declaration, Subject};
use manila_pack::Packs;
use manila_run::{Input, Invocation, Policy};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::watch;

/// A served program. Everything about it is fixed when the server starts.
#[derive(Debug)]
pub(crate) struct Program {
    /// The word by which clients call it.
    pub(crate) name: String,
    /// The program and the arguments that begin each call, as the operator wrote them.
    pub(crate) shown: Vec<String>,
    /// The same with the path that was found; if none was found, starting it reports why.
    pub(crate) argv: Vec<String>,
    pub(crate) directory: PathBuf,
    pub(crate) packs: Packs,
    pub(crate) declaration: Declaration,
    pub(crate) policy: Policy,
    /// What survey needs; nothing if the program was not found.
    pub(crate) subject: Option<Subject>,
    catalog: watch::Sender<Option<Arc<Catalog>>>,
}

/// The parts of a program beside its name.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    pub(crate) directory: PathBuf,
    pub(crate) packs: Packs,
    pub(crate) declaration: Declaration,
    pub(crate) policy: Policy,
}

impl Program {
    pub(crate) fn new(shown: Vec<String>, surroundings: Surroundings) -> Program {
        let Surroundings { directory, packs, declaration, policy } = surroundings;
        let subject = Subject::resolve(&shown, &declaration, &directory).ok();
        let found = subject.as_ref().and_then(|subject| {
            subject.argv.iter().map(|word| word.to_str().map(str::to_owned)).collect()
        });
        let argv = found.unwrap_or_else(|| shown.clone());
        let name = base_name(shown.first().map_or("", String::as_str)).to_owned();
        let catalog = watch::Sender::new(None);
        Program { name, shown, argv, directory, packs, declaration, policy, subject, catalog }
    }

    /// Discovers the commands. That takes seconds, so it runs once, in the background.
    pub(crate) fn learn(&self, cancel: &manila_run::Cancel) {
        let subject = self.subject.as_ref();
        let catalog = Catalog::new(&self.shown, subject, &self.declaration, &self.packs, cancel);
        self.catalog.send_replace(Some(Arc::new(catalog)));
    }

    /// The discovered commands; waits until they are known.
    pub(crate) async fn catalog(&self) -> Arc<Catalog> {
        let mut catalog = self.catalog.subscribe();
        let known = catalog.wait_for(Option::is_some).await;
        known.ok().and_then(|known| known.clone()).unwrap_or_default()
    }

    /// The program with these arguments, as it is started: nothing on stdin, nothing from the client but the
    /// arguments.
    pub(crate) fn invocation(&self, args: &[String]) -> Invocation {
        let mut words = self.argv.iter().chain(args).cloned();
        Invocation::new(words.next().unwrap_or_default())
            .args(words)
            .stdin(Input::Nothing)
            .non_interactive()
            .guarded_at_once()
            .directory(&self.directory)
    }

    /// The same as packs know it: by the name that the operator wrote.
    pub(crate) fn call(&self, args: &[String]) -> Vec<String> {
        self.shown.iter().chain(args).cloned().collect()
    }

    /// How a client writes it.
    pub(crate) fn client_call(&self, args: &[String]) -> Vec<String> {
        std::iter::once(&self.name).chain(args).cloned().collect()
    }
}

/// The last part of a path.
pub(crate) fn base_name(program: &str) -> &str {
    Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or(program)
}
