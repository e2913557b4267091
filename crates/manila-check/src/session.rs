//! A program in the lab for several questions: its surface, the usual calls, and runs of any call
//! that may be made.

use crate::declaration::Declaration;
use crate::error::Error;
use crate::observe::lab::Lab;
use crate::observe::probe::{Form, Probe, Purpose};
use crate::observe::run::Run;
use crate::options::Options;
use crate::plan::usual::plan;
use crate::subject::Subject;
use crate::surface::gate;
use crate::surface::known_effects::KnownEffects;
use crate::surface::model::Surface;
use crate::surface::survey::{Survey, conditions, survey};
use std::path::Path;

/// A program that was discovered and can be called.
///
/// ```no_run
/// use manila_check::internal::Session;
/// use manila_check::{Declaration, Options, Subject};
/// use std::path::Path;
///
/// let declaration = Declaration::default();
/// let subject = Subject::resolve(&["git".to_owned()], &declaration, Path::new("."))?;
/// let session = Session::open(&subject, &declaration, &Options::default())?;
/// for run in session.run(&session.calls()).into_iter().flatten() {
///     println!("{:?}", run.probe);
/// }
/// # Ok::<(), manila_check::Error>(())
/// ```
#[derive(Debug)]
pub struct Session {
    subject: Subject,
    options: Options,
    survey: Survey,
}

impl Session {
    /// Finds out what a program offers. The deadline of the options holds for the whole session.
    pub fn open(
        subject: &Subject,
        declaration: &Declaration,
        options: &Options,
    ) -> Result<Session, Error> {
        let survey = survey(subject, declaration, options)?;
        Ok(Session { subject: subject.clone(), options: options.clone(), survey })
    }

    /// What it offers.
    pub fn surface(&self) -> &Surface {
        &self.survey.surface
    }

    /// Whether the deadline ended discovery, so that the surface lacks what was not asked for.
    pub fn is_cut_short(&self) -> bool {
        self.survey.unread.is_cut_short()
    }

    /// What must be known first, such as that the program was not confined.
    pub fn notes(&self) -> &[String] {
        &self.survey.notes
    }

    /// The program.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The usual calls of a check, and for each command that lists nothing with known arguments, that one.
    /// Every one of them may be made.
    pub fn calls(&self) -> Vec<Probe> {
        let surface = self.surface();
        let known = KnownEffects::new(&self.subject, &self.options.packs);
        let mut probes = plan(surface, known, []);
        for command in surface.commands.iter().filter(|command| command.is_safe()) {
            let Some(args) = &command.empty else { continue };
            let probe = Probe::new(command, Purpose::Empty, Form::Json, args, &surface.json);
            if gate::permits(surface, known, &probe) {
                probes.push(probe);
            }
        }
        probes.retain(|probe| self.survey.lab.may_run(probe));
        probes
    }

    /// Makes these calls, in the order of the probes; nothing for one that was not made.
    pub fn run(&self, probes: &[Probe]) -> Vec<Option<Run>> {
        self.survey.lab.run(probes)
    }

    /// Makes declared calls, with the files of this directory in the working directory.
    pub fn run_in(&self, fixture: &Path, probes: &[Probe]) -> Result<Vec<Option<Run>>, Error> {
        let subject = Subject { fixture: Some(fixture.to_owned()), ..self.subject.clone() };
        let lab = Lab::open(&subject, conditions(&self.options, self.survey.begin))?;
        Ok(lab.run(probes))
    }

    /// Makes a call that reached its limit again, alone and with more time.
    pub fn repeat_alone(&self, probe: &Probe) -> Option<Run> {
        self.survey.lab.repeat_alone(probe)
    }
}
