//! `manila check`: find what is wrong with the answers of any program.

use crate::checking::{self, Whole};
use crate::cli::examples;
use crate::likeness::did_you_mean;
use crate::refusal::Refusal;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use manila::json::Raw;
use manila_check::render::human::{self, Detail};
use manila_check::render::json::Document;
use manila_check::render::{FORMATS, Format, Line};
use manila_check::spec::{self, SpecReport};
use manila_check::{Bar, Declaration, Report, Rule, Severity};
use manila_clap::{Call, Cell, Kind, Reply, Screen, Shape};
use schemars::JsonSchema;
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila check -- td", "check a program"),
    ("manila check --format html -o report.html -- git", "with a page to read"),
    ("manila check --run runs/", "judge runs that were recorded before"),
    ("manila check --init -- td", "write a manila.toml to go on from"),
    ("manila check --spec -- td", "score it on the scale of the CLI Agent Spec"),
];

pub(crate) const FAILS: &[&str] = &[
    "DOES_NOT_CONFORM",
    "NOTHING_TO_CHECK",
    "PROGRAM_NOT_FOUND",
    "PROGRAM_UNUSABLE",
    "BAD_DECLARATION",
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

const EXITS: &str = "Exit status: 0 conforms, 1 does not conform (DOES_NOT_CONFORM; any other code is a \
                     failure of the check), 3 wrong arguments or a wrong manila.toml, 4 the program or the \
                     system does not allow a check, 5 no such program or file, 6 a file is there already.";

#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, Args)]
#[command(after_help = format!("{}\n\n{EXITS}", examples(EXAMPLES)))]
pub(crate) struct Arguments {
    /// The program and the arguments that each call of it begins with; no shell sees them
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,

    /// Judge recorded runs and run nothing: folders with run.json, or folders of those
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["command", "init", "record"])]
    pub(crate) run: Vec<PathBuf>,

    /// What cannot be guessed about the program, and what is waived; manila.toml, if it is there
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Write a manila.toml from what is found out, and judge nothing
    #[arg(long, conflicts_with = "spec", help_heading = "Instead of a check")]
    init: bool,

    /// With --init, write over a file that is there
    #[arg(long, requires = "init", help_heading = "Instead of a check")]
    force: bool,

    /// List the rules
    #[arg(long, conflicts_with_all = ["init", "spec", "run", "command"], help_heading = "Instead of a check")]
    list: bool,

    /// Rules or families that are asked (--list has them); all, unless manila.toml says otherwise
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = known_rule(), help_heading = "Rules")]
    #[arg(hide_possible_values = true)]
    pub(crate) select: Vec<String>,

    /// Rules or families that are not asked
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = known_rule(), help_heading = "Rules")]
    #[arg(hide_possible_values = true)]
    pub(crate) ignore: Vec<String>,

    /// The least finding that keeps a program from conforming
    #[arg(long, value_name = "SEVERITY", default_value = "warning", help_heading = "Rules")]
    fail_on: Least,

    /// A rule that could not be told keeps it from conforming too
    #[arg(long, help_heading = "Rules")]
    strict: bool,

    /// How long the whole check may take
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "60s", help_heading = "Limits")]
    pub(crate) deadline: Duration,

    /// How long one run may take
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "5s", help_heading = "Limits")]
    pub(crate) limit: Duration,

    /// How many runs are made at a time; as many as there are cores if nothing is said
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Leave the program its network
    #[arg(long, help_heading = "Limits")]
    pub(crate) keep_network: bool,

    /// Make every call even where the system cannot confine the program; otherwise only --help and --version
    #[arg(long, help_heading = "Limits")]
    pub(crate) unconfined: bool,

    /// Leave each run as a recorded run in this folder
    #[arg(long, value_name = "DIR", help_heading = "Report")]
    pub(crate) record: Option<PathBuf>,

    /// How the report is written
    #[arg(long, value_name = "FORMAT", value_parser = known_format(), default_value = "human", help_heading = "Report")]
    format: &'static Format,

    /// Where it is written, or with --init the declaration; - is standard output
    #[arg(short = 'o', long = "out", value_name = "FILE", help_heading = "Report")]
    out: Option<PathBuf>,

    /// Tell every finding, what holds, and what to declare so that more can be told
    #[arg(long, help_heading = "Report")]
    verbose: bool,

    /// Show the failure modes of the CLI Agent Spec with their scores, and the rules behind them
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

fn time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| "not a time such as 500ms, 30s or 5m".to_owned())
}

fn known_format() -> impl TypedValueParser<Value = &'static Format> {
    PossibleValuesParser::new(FORMATS.iter().map(|format| format.name))
        .try_map(|name| manila_check::render::format(&name).ok_or("there is no such format"))
}

/// The rules and families. There are too many of them to list all where one is mistyped.
#[derive(Clone)]
struct KnownRule;

fn known_rule() -> KnownRule {
    KnownRule
}

impl KnownRule {
    fn names() -> impl Iterator<Item = &'static str> {
        let rules = manila_check::RULES.iter().map(|rule| rule.id);
        manila_check::Family::ALL.iter().map(|family| family.word()).chain(rules)
    }

    fn find(name: String) -> Result<String, String> {
        if KnownRule::names().any(|known| known == name) {
            return Ok(name);
        }
        let closest = did_you_mean(&name, KnownRule::names());
        let closest = closest.map_or_else(String::new, |closest| format!("; {closest}"));
        Err(format!("there is no such rule or family{closest} (manila check --list has all)"))
    }
}

impl TypedValueParser for KnownRule {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().try_map(KnownRule::find).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(KnownRule::names().map(PossibleValue::new)))
    }
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, Refusal> {
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
        return Err(Refusal::InvalidValue {
            message: format!("--spec has no {} form", arguments.format.name),
            suggestion: "pass --format human, json or markdown".to_owned(),
        });
    }
    let report = Box::new(Report { bar: arguments.bar(), ..checking::report(arguments, call)? });
    let detail = if arguments.verbose { Detail::All } else { Detail::Brief };
    let mut checked = Checked { report, whole, format: arguments.format, detail, written: None };
    if let Some(path) = arguments.out.as_ref().filter(|path| path.as_os_str() != "-") {
        checking::replace(path, &checked.text())?;
        checked.written = Some(path.clone());
    }
    if checked.report.conforms() {
        return Ok(Answer::Checked(checked));
    }
    // A failure has no data in our dialect; who reads it finds them here.
    match checked.whole {
        Whole::Report => call.note("report", &Document::of(&checked.report)),
        Whole::Spec => call.note("report", &spec::spec(&checked.report)),
    }
    Err(Refusal::DoesNotConform { checked })
}

impl Arguments {
    fn bar(&self) -> Bar {
        let fail_on = match self.fail_on {
            Least::Error => Severity::Error,
            Least::Warning => Severity::Warning,
            Least::Note => Severity::Note,
        };
        Bar { fail_on, is_strict: self.strict }
    }

    /// Where the declaration is, if there is one.
    pub(crate) fn place(&self) -> PathBuf {
        self.config.clone().unwrap_or_else(|| PathBuf::from("manila.toml"))
    }

    /// What is declared. A file that nobody named need not be there.
    pub(crate) fn declared(&self) -> Result<Declaration, Refusal> {
        let place = self.place();
        if self.config.is_none() && !place.exists() {
            return Ok(Declaration::default());
        }
        Ok(Declaration::read(&place)?)
    }

    fn init(&self, call: &Call) -> Result<Made, Refusal> {
        let path = self.out.clone().unwrap_or_else(|| self.place());
        let is_printed = path.as_os_str() == "-";
        if !is_printed && !self.force && path.exists() {
            return Err(Refusal::FileExists { path });
        }
        let declaration = checking::declaration(self, call)?;
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

/// A report, and how it is shown.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) report: Box<Report>,
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
    /// The report as its format writes it.
    fn text(&self) -> String {
        match self.whole {
            Whole::Report if self.format.name == "human" => {
                checking::text(&human::lines(&self.report, self.detail))
            }
            Whole::Report => (self.format.render)(&self.report),
            Whole::Spec => {
                let spec = spec::spec(&self.report);
                match self.format.name {
                    "json" => manila_check::render::json::enveloped(&spec, &self.report),
                    "markdown" => spec::markdown(&spec),
                    _ => checking::text(&spec::lines(&spec)),
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

    fn data(&self, _: Shape) -> serde_json::Result<Raw> {
        match self.whole {
            Whole::Report => Raw::of(&Document::of(&self.report)),
            Whole::Spec => Raw::of(&spec::spec(&self.report)),
        }
    }

    fn show(&self, screen: &mut Screen) {
        if let Some(path) = &self.written {
            paint(screen, &human::notes(&self.report));
            paint(screen, &human::summary(&self.report, self.detail));
            return screen.line(format!("{:<11}{}", "written", path.display()));
        }
        match (self.whole, self.format.name) {
            (Whole::Report, "human") if !screen.is_rich() => rows(&self.report, screen),
            (Whole::Report, "human") => paint(screen, &human::lines(&self.report, self.detail)),
            (Whole::Spec, "human") => paint(screen, &spec::lines(&spec::spec(&self.report))),
            _ => screen.verbatim(&self.text()),
        }
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::of::<Document<'static>>("check"));
        list.push(Kind::of::<SpecReport<'static>>("check-spec"));
    }
}

impl Reply for Answer {
    fn kind(&self) -> &'static str {
        self.reply().kind()
    }

    fn data(&self, shape: Shape) -> serde_json::Result<Raw> {
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
        family: rule.family.word(),
        severity: rule.severity.word(),
        flaw: rule.flaw,
        fix: rule.fix,
        modes: rule.modes,
        requirements: rule.requirements,
    }
}

/// For grep: a line for each finding.
fn rows(report: &Report, screen: &mut Screen) {
    let row = |(judged, finding): (&manila_check::Judged, &manila_check::Finding)| {
        let (severity, id) = (judged.severity.word(), judged.rule.id);
        [
            severity.to_owned(),
            id.to_owned(),
            finding.place(),
            finding.message.clone(),
            finding.reproduce.clone(),
        ]
    };
    paint(screen, &human::notes(report));
    screen.table(["SEVERITY", "RULE", "COMMAND", "WHAT", "CALL"], report.findings().map(row));
}

fn show_rules(rules: &Rules, screen: &mut Screen) {
    if screen.is_rich() {
        return paint(screen, &human::list(manila_check::RULES));
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

fn paint(screen: &mut Screen, lines: &[Line]) {
    for line in lines {
        screen.pieces(line.iter().map(|piece| {
            let cell = Cell::from(piece.text.as_str());
            match checking::style(piece.ink) {
                Some(style) => cell.styled(style),
                None => cell,
            }
        }));
    }
}
