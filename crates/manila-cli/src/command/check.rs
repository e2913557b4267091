//! `manila check`: check the answers of any program against the rules.

mod rule_parser;
mod start;

use crate::checking::{self, Declarations, Limits, known_format};
use crate::error::{CliError, Found, SoFar};
use crate::help::examples;
use crate::known::{self, known_dialect};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use manila::Dialect;
use manila::json::{Raw, SerializeError};
use manila_check::render::human::{self, Detail};
use manila_check::render::json::Document;
use manila_check::render::{FORMATS, Format, text_of};
use manila_check::spec::{self, SpecReport};
use manila_check::{Profile, Report, Rule, Severity, Threshold};
use manila_clap::{Call, Kind, Reply, Screen, Shape};
use rule_parser::KnownRule;
use schemars::JsonSchema;
use serde::Serialize;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila check -- td", "check a program"),
    ("manila check --format html -o report.html -- git", "with a page to read"),
    ("manila check --quick -- npm", "a first look in a few seconds"),
    ("manila check --command 'repo list' -- gh", "one command alone"),
    ("manila check --run runs/", "judge runs that were recorded before"),
    ("manila check --init -- td", "write a first manila.toml"),
    ("manila check --spec -- td", "score it on the scale of the CLI Agent Spec"),
];

pub(crate) const FAILS: &[&str] = &[
    "DOES_NOT_CONFORM",
    "NOTHING_DECIDED",
    "UNKNOWN_COMMAND",
    "NOTHING_TO_CHECK",
    "PROGRAM_NOT_FOUND",
    "PROGRAM_UNUSABLE",
    "BAD_DECLARATION",
    "BAD_DIALECT",
    "SYSTEM_REFUSED",
    "INVALID_VALUE",
    "BAD_RECORDING",
    "FILE_NOT_FOUND",
    "FILE_FORBIDDEN",
    "FILE_UNREADABLE",
    "FILE_EXISTS",
    "FILE_UNWRITABLE",
    "OVER_LIMIT",
];

const EXITS: &str = "Exit status: 0 no rule failed, 100 at least one rule failed (DOES_NOT_CONFORM), 1 manila itself \
                     failed, 3 invalid arguments or an invalid manila.toml, 4 the program or the system does \
                     not allow a check, or no rule could be decided, 5 no such program or file, 6 a file exists already.";

#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, Args)]
#[command(after_help = format!("{}\n\n{EXITS}", examples(EXAMPLES)))]
pub(crate) struct Arguments {
    /// Program to check, and the arguments that begin each call; no shell is involved
    #[arg(trailing_var_arg = true, value_name = "COMMAND", value_hint = clap::ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,

    /// Judge recorded runs instead of running anything: directories with run.json, or their parents
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["command", "init", "record"])]
    pub(crate) run: Vec<PathBuf>,

    #[command(flatten)]
    declarations: Declarations,

    /// Parse answers in this dialect, named by its id or a file that describes it, where they could be in
    /// several
    #[arg(long, value_name = "DIALECT", value_parser = known_dialect())]
    #[arg(hide_possible_values = true)]
    dialect: Option<&'static dyn Dialect>,

    /// Write a manila.toml from what discovery finds, and judge nothing
    #[arg(long, conflicts_with = "spec", help_heading = "Instead of a check")]
    init: bool,

    /// With --init, overwrite an existing file
    #[arg(long, requires = "init", help_heading = "Instead of a check")]
    force: bool,

    /// List the rules
    #[arg(long, conflicts_with_all = ["init", "spec", "run", "command"], help_heading = "Instead of a check")]
    list: bool,

    /// Judge only these rules or families; --list shows them
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = KnownRule, help_heading = "Rules")]
    #[arg(hide_possible_values = true)]
    pub(crate) select: Vec<String>,

    /// Leave out these rules or families
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = KnownRule, help_heading = "Rules")]
    #[arg(hide_possible_values = true)]
    pub(crate) ignore: Vec<String>,

    /// Fail on findings of this severity or above
    #[arg(long, value_name = "SEVERITY", default_value = "warning", help_heading = "Rules")]
    fail_on: Least,

    /// Fail on undecided rules too
    #[arg(long, help_heading = "Rules")]
    strict: bool,

    /// Judge the program as a plain Unix tool, as one with a JSON mode, or as one that answers in envelopes
    /// [default: what its answers show]
    #[arg(long, value_name = "PROFILE", value_parser = known_profile(), help_heading = "Rules")]
    profile: Option<Profile>,

    /// Check only this command, named by its words; "" is the program itself
    #[arg(long = "command", value_name = "WORDS", conflicts_with_all = ["run", "init", "quick"], help_heading = "Rules")]
    pub(crate) only: Option<String>,

    /// Judge the twenty most telling rules on a few commands, in a few seconds
    #[arg(long, conflicts_with_all = ["run", "init"], help_heading = "Rules")]
    pub(crate) quick: bool,

    /// Stop the whole check after this time [default: 60s; 10s with --quick, more if the program starts slowly]
    #[arg(long, value_name = "TIME", value_parser = checking::time, help_heading = "Limits")]
    deadline: Option<Duration>,

    #[command(flatten)]
    limits: Limits,

    /// Save each run as a recorded run below this directory
    #[arg(long, value_name = "DIR", help_heading = "Report")]
    pub(crate) record: Option<PathBuf>,

    /// Format of the report
    #[arg(long, value_name = "FORMAT", value_parser = known_format(FORMATS), default_value = "human", help_heading = "Report")]
    format: &'static Format,

    /// Write the report, or with --init the declaration, to this file; - is stdout
    #[arg(short = 'o', long = "out", value_name = "FILE", help_heading = "Report")]
    out: Option<PathBuf>,

    /// Show every finding with all its commands, what passed, and what to declare to decide more rules
    #[arg(long, help_heading = "Report")]
    verbose: bool,

    /// Score the failure modes of the CLI Agent Spec, with the rules behind each score
    #[arg(long, help_heading = "Report")]
    spec: bool,
}

/// The least finding that counts.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Least {
    Error,
    Warning,
    Note,
}

fn known_profile() -> impl TypedValueParser<Value = Profile> {
    PossibleValuesParser::new(Profile::ALL.iter().map(|profile| profile.as_str()))
        .try_map(|name| name.parse().map_err(|()| "there is no such profile"))
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    if let Some(config) = &arguments.declarations.config {
        known::name_from(config)?;
    }
    known::install(arguments.dialect)?;
    if arguments.list {
        return Ok(Answer::Rules(Rules {
            rules: manila_check::RULES.iter().copied().map(listed).collect(),
        }));
    }
    if arguments.init {
        return arguments.init(call).map(Answer::Made);
    }
    let whole = if arguments.spec { Whole::Spec } else { Whole::Report };
    if whole == Whole::Spec && !["human", "json", "markdown"].contains(&arguments.format.name) {
        return Err(CliError::InvalidValue {
            message: format!("--spec has no {} form", arguments.format.name),
            suggestion: "pass --format human, json or markdown".to_owned(),
        });
    }
    let report =
        Box::new(Report { threshold: arguments.threshold(), ..start::report(arguments, call)? });
    let detail = if arguments.verbose { Detail::All } else { Detail::Brief };
    let mut checked = Checked { report, whole, format: arguments.format, detail, written: None };
    if let Some(path) = arguments.out.as_ref().filter(|path| path.as_os_str() != "-") {
        checking::replace(path, &checked.text())?;
        checked.written = Some(path.clone());
    }
    if !checked.report.conforms() {
        return Err(CliError::DoesNotConform { found: checked.into_found() });
    }
    if checked.report.is_undecided() {
        return Err(CliError::NothingDecided { found: checked.into_found() });
    }
    Ok(Answer::Checked(checked))
}

impl Arguments {
    pub(crate) fn deadline(&self) -> Duration {
        let usual = Duration::from_secs(if self.quick { 10 } else { 60 });
        self.deadline.unwrap_or(usual)
    }

    /// The same for a program that starts slowly.
    pub(crate) fn slow_deadline(&self) -> Option<Duration> {
        (self.quick && self.deadline.is_none()).then_some(Duration::from_secs(60))
    }

    pub(crate) fn profile(&self) -> Option<Profile> {
        self.profile
    }

    pub(crate) fn threshold(&self) -> Threshold {
        let fail_on = match self.fail_on {
            Least::Error => Severity::Error,
            Least::Warning => Severity::Warning,
            Least::Note => Severity::Note,
        };
        Threshold { fail_on, is_strict: self.strict }
    }

    fn init(&self, call: &Call) -> Result<Made, CliError> {
        let path = self.out.clone().unwrap_or_else(|| self.declarations.path());
        let is_printed = path.as_os_str() == "-";
        if !is_printed && !self.force && path.exists() {
            return Err(CliError::FileExists { path });
        }
        let declaration = start::declaration(self, call)?;
        if !is_printed {
            checking::replace(&path, &declaration)?;
        }
        let path = (!is_printed).then(|| path.display().to_string());
        Ok(Made { path, declaration })
    }
}

/// What came of a check, or what was asked for in its place.
pub(crate) enum Answer {
    Checked(Checked),
    Rules(Rules),
    Made(Made),
}

/// What a report says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whole {
    /// What each rule says.
    Report,
    /// What that comes to in the CLI Agent Spec.
    Spec,
}

/// A report, and how it is shown.
#[derive(Debug)]
pub(crate) struct Checked {
    report: Box<Report>,
    whole: Whole,
    format: &'static Format,
    detail: Detail,
    /// Where it was written, if it was.
    written: Option<PathBuf>,
}

/// The rules.
#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "check-rules", show = show_rules)]
pub(crate) struct Rules {
    rules: Vec<Listed>,
}

/// A rule.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Rule")]
struct Listed {
    id: &'static str,
    family: &'static str,
    severity: &'static str,
    flaw: &'static str,
    fix: &'static str,
    modes: &'static [u8],
    requirements: &'static [&'static str],
}

/// A declaration that was made.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "Declared")]
#[reply(kind = "check-init", show = show_made)]
pub(crate) struct Made {
    /// Where it was written, if it was.
    path: Option<String>,
    declaration: String,
}

impl Checked {
    /// It, as what an error reports.
    fn into_found(self) -> Found {
        Found {
            complaint: self.report.complaint(),
            tally: self.report.tally(),
            counts: Raw::from_serialize(&self.report.counted()).ok(),
            answer: SoFar::of(self),
        }
    }

    /// The report as its format writes it.
    fn text(&self) -> String {
        match self.whole {
            Whole::Report if self.format.name == "human" => {
                text_of(&human::lines(&self.report, self.detail))
            }
            Whole::Report => (self.format.render)(&self.report),
            Whole::Spec => {
                let spec = spec::spec(&self.report);
                match self.format.name {
                    "json" => manila_check::render::json::document(&spec),
                    "markdown" => spec::markdown(&spec),
                    _ => text_of(&spec::lines(&spec)),
                }
            }
        }
    }
}

impl Reply for Checked {
    fn kind(&self) -> &'static str {
        match self.whole {
            Whole::Report => "check",
            Whole::Spec => "check-spec",
        }
    }

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        match self.whole {
            Whole::Report => Raw::from_serialize(&Document::from(self.report.as_ref())),
            Whole::Spec => Raw::from_serialize(&spec::spec(&self.report)),
        }
    }

    fn show(&self, screen: &mut Screen) {
        if let Some(path) = &self.written {
            checking::paint(screen, &human::notes(&self.report));
            checking::paint(screen, &human::summary(&self.report, self.detail));
            return screen.line(format!("{:<11}{}", "written", path.display()));
        }
        match (self.whole, self.format.name) {
            (Whole::Report, "human") if !screen.is_rich() => rows(&self.report, screen),
            (Whole::Report, "human") => {
                checking::paint(screen, &human::lines(&self.report, self.detail));
            }
            (Whole::Spec, "human") => {
                checking::paint(screen, &spec::lines(&spec::spec(&self.report)));
            }
            _ => screen.verbatim(&self.text()),
        }
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::new::<Document<'static>>("check"));
        list.push(Kind::new::<SpecReport<'static>>("check-spec"));
    }
}

impl Reply for Answer {
    fn kind(&self) -> &'static str {
        self.reply().kind()
    }

    fn data(&self, shape: Shape) -> Result<Raw, SerializeError> {
        self.reply().data(shape)
    }

    fn show(&self, screen: &mut Screen) {
        self.reply().show(screen);
    }

    fn kinds(list: &mut Vec<Kind>) {
        Checked::kinds(list);
        Rules::kinds(list);
        Made::kinds(list);
    }
}

impl Answer {
    fn reply(&self) -> &dyn Reply {
        match self {
            Answer::Checked(checked) => checked,
            Answer::Rules(rules) => rules,
            Answer::Made(made) => made,
        }
    }
}

fn listed(rule: &'static Rule) -> Listed {
    Listed {
        id: rule.id,
        family: rule.family.as_str(),
        severity: rule.severity.as_str(),
        flaw: rule.flaw,
        fix: rule.fix,
        modes: rule.modes,
        requirements: rule.requirements,
    }
}

/// For grep: a line for each cause.
fn rows(report: &Report, screen: &mut Screen) {
    let row = |(judged, cause): (&manila_check::Judged, manila_check::Cause<'_>)| {
        let (severity, id) = (judged.severity.as_str(), judged.rule.id);
        [
            severity.to_owned(),
            id.to_owned(),
            cause.first.place(),
            cause.commands().len().to_string(),
            cause.first.message.clone(),
            cause.first.reproduce.clone(),
        ]
    };
    checking::paint(screen, &human::notes(report));
    let columns = ["SEVERITY", "RULE", "COMMAND", "COMMANDS", "WHAT", "CALL"];
    screen.table(columns, report.causes().map(row));
}

fn show_rules(rules: &Rules, screen: &mut Screen) {
    if screen.is_rich() {
        return checking::paint_hanging(screen, &human::list(manila_check::RULES));
    }
    let row = |rule: &Listed| [rule.id, rule.family, rule.severity, rule.flaw];
    screen.table(["RULE", "FAMILY", "SEVERITY", "FLAW"], rules.rules.iter().map(row));
}

fn show_made(made: &Made, screen: &mut Screen) {
    match &made.path {
        Some(path) => screen.line(format!("wrote {path}")),
        None => screen.line(made.declaration.trim_end()),
    }
}
