//! Small programs made with clap's builder, one per setting that shows.

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{EnumValueParser, NonEmptyStringValueParser, PossibleValue};
use clap::{Arg, ArgAction, ArgGroup, ColorChoice, Command, ValueEnum, ValueHint, value_parser};

pub(super) fn flag(name: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue)
}

pub(super) fn option(name: &'static str) -> Arg {
    Arg::new(name).long(name)
}

pub(super) fn rest(name: &'static str) -> Arg {
    Arg::new(name).num_args(0..).trailing_var_arg(true).allow_hyphen_values(true)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Low,
    High,
}

impl ValueEnum for Level {
    fn value_variants<'a>() -> &'a [Self] {
        &[Level::Low, Level::High]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Level::Low => PossibleValue::new("low").help("a little"),
            Level::High => PossibleValue::new("high").alias("hi"),
        })
    }
}

pub(super) fn subcommands() -> Command {
    let list = Command::new("list").about("List things").visible_alias("ls").arg(flag("all"));
    let show = Command::new("show").about("Show a thing").arg(Arg::new("id").required(true));
    Command::new("tool").version("1.2.3").about("Keeps things").subcommand(list).subcommand(show)
}

programs! { BUILT;
    "bare": Command::new("tool"), [];
    "about": Command::new("tool").about("Keeps things"), [];
    "version": Command::new("tool").version("1.2.3"), ["-Vx", "--version=1"];
    "long-version": Command::new("tool").version("1.2.3").long_version("1.2.3\ncommit abc"), [];
    "display-name": Command::new("tool").version("1").display_name("The Tool"), [];
    "bin-name": Command::new("tool").version("1").bin_name("other-tool"), ["--bad"];
    "package-name": Command::new("tool-cli").version("1").arg(flag("all")), ["--al"];
    "author": Command::new("tool").author("Ada").version("1"), [];
    "long-about": Command::new("tool").about("short").long_about("long\n\nwith paragraphs"), [];
    "before-after": Command::new("tool").before_help("before").after_help("after"), [];
    "before-after-long":
        Command::new("tool").before_long_help("before").after_long_help("after").about("x"), [];
    "help-template":
        Command::new("tool").version("2").help_template("{name} {version}\n{usage}\n{all-args}"), [];
    "override-usage": Command::new("tool").override_usage("tool [WHATEVER]"), ["--bad"];
    "override-help": Command::new("tool").override_help("no help\n"), [];
    "colour-never": subcommands().color(ColorChoice::Never), ["list --bad", "shwo"];
    "colour-always": subcommands().color(ColorChoice::Always), ["list --bad", "shwo"];
    "styles": subcommands().styles(
        Styles::styled().header(AnsiColor::Blue.on_default()).error(AnsiColor::Cyan.on_default())
    ), ["list --bad"];
    "no-help-flag": Command::new("tool").disable_help_flag(true), [];
    "no-version-flag": Command::new("tool").version("1").disable_version_flag(true), [];
    "own-help": Command::new("tool").disable_help_flag(true)
        .arg(Arg::new("help").long("aid").short('?').action(ArgAction::Help)), ["--aid", "-?"];
    "own-version": Command::new("tool").version("1").disable_version_flag(true)
        .arg(Arg::new("ver").long("ver").action(ArgAction::Version)), ["--ver"];
    "no-help-subcommand": subcommands().disable_help_subcommand(true), ["help list"];
    "flag": Command::new("tool").arg(flag("all").short('a')), ["--all", "-a", "-aa", "--al", "--all=x"];
    "count": Command::new("tool").arg(Arg::new("v").short('v').action(ArgAction::Count)), ["-vvv"];
    "option": Command::new("tool").arg(option("name").short('n')),
        ["--name", "--name x", "--name=x", "-nx", "-n x", "--name x --name y", "--nam x"];
    "required-option": Command::new("tool").arg(option("name").required(true)), ["--name x"];
    "positional": Command::new("tool").arg(Arg::new("file").required(true).help("A file")),
        ["a", "a b", "-- -a", "-1"];
    "many": Command::new("tool").arg(Arg::new("file").num_args(1..)), ["a b c", "a --bad"];
    "optional-value": Command::new("tool").arg(option("paint").num_args(0..=1)
        .default_missing_value("auto")), ["--paint", "--paint x", "--paint=x", "--paint --bad"];
    "require-equals": Command::new("tool").arg(option("paint").require_equals(true)),
        ["--paint x", "--paint=x"];
    "two-values": Command::new("tool").arg(option("pair").num_args(2)), ["--pair a", "--pair a b"];
    "delimiter": Command::new("tool").arg(option("list").value_delimiter(',')), ["--list a,b,c"];
    "terminator": Command::new("tool").arg(option("exec").num_args(1..).value_terminator(";")
        .allow_hyphen_values(true)).arg(Arg::new("dir")), ["--exec rm -f ; dir", "--exec a ;"];
    "hyphens": Command::new("tool").arg(option("e").allow_hyphen_values(true)), ["--e -x", "--e --what"];
    "negative": Command::new("tool").arg(Arg::new("n").allow_negative_numbers(true)
        .value_parser(value_parser!(i32))), ["-5", "-x", "5"];
    "number": Command::new("tool").arg(option("n").value_parser(value_parser!(u8))),
        ["--n 5", "--n x", "--n 256", "--n -1"];
    "range": Command::new("tool").arg(option("n").value_parser(value_parser!(u8).range(1..5))), ["--n 9"];
    "choices": Command::new("tool").arg(option("level").value_parser(EnumValueParser::<Level>::new())),
        ["--level low", "--level lo", "--level hi", "--level"];
    "ignore-case": Command::new("tool").arg(option("level").ignore_case(true)
        .value_parser(EnumValueParser::<Level>::new())), ["--level LOW"];
    "hidden-choices": Command::new("tool").arg(option("level").hide_possible_values(true)
        .value_parser(EnumValueParser::<Level>::new())), ["--level x"];
    "non-empty": Command::new("tool").arg(option("s").value_parser(NonEmptyStringValueParser::new())),
        ["--s="];
    "own-parser": Command::new("tool").arg(option("even").value_parser(even)), ["--even 2", "--even 3"];
    "default": Command::new("tool").arg(option("n").default_value("7")), ["--n 8"];
    "env": Command::new("tool").arg(option("mode").env("TOOL_OUTPUT")), ["--mode x"];
    "value-name": Command::new("tool").arg(option("n").value_name("NUMBER").help("A number")), ["--n"];
    "hint": Command::new("tool").arg(option("f").value_hint(ValueHint::FilePath)), [];
    "hidden": Command::new("tool").arg(flag("secret").hide(true)), ["--secret", "--secre"];
    "hidden-short": Command::new("tool").arg(flag("rare").hide_short_help(true)), [];
    "long-help": Command::new("tool").arg(flag("x").help("short").long_help("long help\nof two lines")), [];
    "headings": Command::new("tool").next_help_heading("Special").arg(flag("x")), [];
    "next-line": Command::new("tool").next_line_help(true).arg(flag("x").help("what")), [];
    "flatten": subcommands().flatten_help(true), [];
    "conflict": Command::new("tool").args([flag("a").conflicts_with("b"), flag("b")]), ["--a --b"];
    "requires": Command::new("tool").args([flag("a").requires("b"), flag("b")]), ["--a"];
    "exclusive": Command::new("tool").args([flag("a").exclusive(true), flag("b")]), ["--a --b"];
    "group": Command::new("tool").args([flag("a"), flag("b")])
        .group(ArgGroup::new("g").args(["a", "b"]).required(true)), ["--a --b", "--a"];
    "overrides": Command::new("tool").arg(flag("a").overrides_with("a")), ["--a --a"];
    "args-override": Command::new("tool").args_override_self(true).arg(option("n")), ["--n 1 --n 2"];
    "subcommands": subcommands(),
        ["list", "ls --all", "list --al", "show", "show 1 2", "shwo", "list -h", "help show", "help nope"];
    "subcommand-required": subcommands().subcommand_required(true), ["list"];
    "required-else-help": subcommands().arg_required_else_help(true), ["list"];
    "required-both": subcommands().subcommand_required(true).arg_required_else_help(true), ["list"];
    "arg-required-else-help":
        Command::new("tool").arg_required_else_help(true).arg(Arg::new("x").required(true)), ["x"];
    "propagate": subcommands().propagate_version(true), ["list --version", "list -V"];
    "sub-version": Command::new("tool").version("1").subcommand(
        Command::new("sub").version("2").long_version("2 long")), ["sub --version", "sub -V"];
    "infer": subcommands().infer_subcommands(true).infer_long_args(true), ["li", "l", "list --al", "s 1"];
    "flag-subcommand": Command::new("tool").subcommand(Command::new("sync").short_flag('S')
        .long_flag("sync").arg(flag("all").short('a'))), ["-S", "--sync", "-Sa", "--syn", "sync -a"];
    "external": Command::new("tool").allow_external_subcommands(true), ["any --json -q x", "any"];
    "multicall": Command::new("tool").multicall(true).subcommand(subcommands().name("tool")),
        ["list", "shwo", "list --bad"];
    "precedence": Command::new("tool").subcommand_precedence_over_arg(true)
        .arg(option("n").num_args(1..)).subcommand(Command::new("sub")), ["--n 1 2 sub"];
    "args-conflict": subcommands().args_conflicts_with_subcommands(true).arg(flag("x")), ["--x list"];
    "negates": subcommands().subcommand_negates_reqs(true).arg(option("n").required(true)), ["list"];
    "help-heading-sub": subcommands().subcommand_help_heading("Things").subcommand_value_name("THING"), [];
    "last": Command::new("tool").arg(Arg::new("a")).arg(Arg::new("b").last(true).num_args(0..)),
        ["a -- --json b", "a b"];
    "wrapper": Command::new("tool").arg(Arg::new("program").required(true)).arg(rest("args")),
        ["curl --timeout 5 x", "grep -q foo", "ls --json", "--bad"];
    "wrapper-alone": Command::new("tool").arg(rest("args")), ["ls --json", "--json ls", "--output x"];
    "own-json-fields": Command::new("tool").arg(option("json")), ["--json a,b", "--json", "--json=a"];
    "own-output": Command::new("tool").arg(option("output").short('o')), ["--output x", "-o x", "--output"];
    "own-quiet": Command::new("tool").arg(flag("quiet").short('q')), ["-q", "--quiet"];
    "no-binary-name": Command::new("tool").no_binary_name(true).arg(Arg::new("x").num_args(0..)), ["a"];
    "dont-delimit": Command::new("tool").dont_delimit_trailing_values(true)
        .arg(Arg::new("x").value_delimiter(',').num_args(0..)), ["-- a,b", "a,b"];
    "term-width": subcommands().term_width(40), ["list -h"];
    "max-term-width": subcommands().max_term_width(30), ["list -h"];
    "no-coloured-help": subcommands().disable_colored_help(true), ["list -h"];
    "display-order": Command::new("tool").args([flag("b").display_order(1), flag("a").display_order(0)]), [];
    "hide-default": Command::new("tool").arg(option("n").default_value("7").hide_default_value(true)), [];
    "hide-env": Command::new("tool").arg(option("mode").env("TOOL_OUTPUT").hide_env_values(true)), ["-h"];
    "hidden-long": Command::new("tool").arg(flag("rare").hide_long_help(true)), ["--rare"];
    "hidden-subcommand": subcommands().subcommand(Command::new("inner").hide(true)), ["inner", "inne"];
    "aliases": subcommands().subcommand(Command::new("copy").alias("cp").visible_short_flag_alias('C')
        .short_flag('c')), ["cp", "-C", "-c", "help cp"];
    "option-aliases": Command::new("tool").arg(option("name").alias("nom").visible_alias("title")
        .short('n').short_alias('N')), ["--nom x", "--title x", "-Nx", "--titel x"];
    "global": subcommands().arg(flag("verbose").short('v').global(true)), ["list -v", "-v list", "-vv list"];
    "value-names": Command::new("tool").arg(option("pair").value_names(["KEY", "VALUE"])), ["--pair a"];
    "raw": Command::new("tool").arg(Arg::new("rest").raw(true)), ["-- --json x", "x"];
    "short-and-long-help": Command::new("tool").disable_help_flag(true).long_about("a\n\nlong")
        .arg(Arg::new("short").short('h').action(ArgAction::HelpShort))
        .arg(Arg::new("long").long("help").action(ArgAction::HelpLong)), [];
    "required-unless": Command::new("tool").args([option("a").required_unless_present("b"), option("b")]),
        ["--a 1", "--b 1"];
    "required-if": Command::new("tool").args([option("a").required_if_eq("b", "x"), option("b")]), ["--b x"];
    "default-if": Command::new("tool").args([option("a").default_value_if("b", "x", "y"), option("b")]),
        ["--b x"];
    "missing-positional": Command::new("tool").allow_missing_positional(true)
        .args([Arg::new("a"), Arg::new("b").required(true)]), ["x", "x y"];
    "ignore-errors": Command::new("tool").ignore_errors(true).arg(option("n")), ["--n", "--n 1 --bad"];
    "bool-value": Command::new("tool").arg(option("on").value_parser(value_parser!(bool))), ["--on x", "--on true"];
    "set-false": Command::new("tool").arg(Arg::new("off").long("off").action(ArgAction::SetFalse)), ["--off"];
    "path": Command::new("tool").arg(Arg::new("p").value_parser(value_parser!(std::path::PathBuf))), ["a/b"];
}

fn even(text: &str) -> Result<u32, String> {
    let number: u32 = text.parse().map_err(|error| format!("{error}"))?;
    if number.is_multiple_of(2) { Ok(number) } else { Err("not even".to_owned()) }
}
