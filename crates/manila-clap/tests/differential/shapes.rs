//! Small programs made with clap's builder whose settings meet each other: wrappers with options of their own, ranges of
//! values, bytes that are not text, variables, groups.

use super::builder::{flag, option, rest, subcommands};
use clap::builder::{OsStringValueParser, PathBufValueParser, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgGroup, ColorChoice, Command, value_parser};
use std::ffi::OsString;

fn lines(text: &str) -> Result<String, String> {
    Err(format!("`{text}` is wrong\nin two lines\n\nand a paragraph"))
}

fn wordless(_: &str) -> Result<String, String> {
    Err(String::new())
}

fn tree() -> Command {
    let deepest = Command::new("c").about("Deepest").arg(option("own").short('o'));
    let global = option("level").short('l').global(true).help("Everywhere");
    let below = Command::new("b").about("Below").subcommand(deepest).subcommand_required(true);
    Command::new("tool").version("4").arg(global).subcommand(Command::new("a").subcommand(below))
}

fn pacman() -> Command {
    let sync = Command::new("sync").short_flag('S').long_flag("sync").about("Synchronise");
    let sync = sync.args([flag("refresh").short('y'), flag("sysupgrade").short('u')]);
    let sync = sync.arg(option("search").short('s').num_args(1..).conflicts_with("packages"));
    let sync = sync.arg(Arg::new("packages").num_args(0..));
    let query =
        Command::new("query").short_flag('Q').long_flag("query").arg(flag("info").short('i'));
    Command::new("tool").subcommand_required(true).subcommands([sync, query])
}

programs! { SHAPES;
    "wrapper-options": Command::new("tool").arg(flag("verbose").short('v').global(true)).subcommand(
        Command::new("run").arg(option("env").short('e').action(ArgAction::Append))
            .arg(Arg::new("program").required(true)).arg(rest("args"))),
        ["run ls -v --json", "-v run ls --json -- --json", "run -e A=b ls -e x --output y", "run -- ls --json",
         "run --bad ls", "run -v", "run ls -- -h --help", "help run", "run ls --help"];
    "wrapper-text": Command::new("tool").arg(Arg::new("command").num_args(1..).trailing_var_arg(true).required(true)),
        ["cmd -x --json", "cmd --help", "-x", "-- -x --json", "cmd -- a"];
    "wrapper-bytes": Command::new("tool").arg(rest("args").value_parser(value_parser!(OsString))),
        ["ls %FF --json", "%FF", "--json=%FF x", "-%FF", "'' ''"];
    "last-hyphens": Command::new("tool").arg(Arg::new("a")).arg(
        Arg::new("b").last(true).num_args(1..).allow_hyphen_values(true)),
        ["a -- -x --json", "-- --json", "a --", "-x -- a"];
    "hyphen-positional": Command::new("tool").arg(flag("all").short('a'))
        .arg(Arg::new("x").allow_hyphen_values(true)),
        ["-x", "--json=x", "--jsonx", "-- --json", "--all -b", "-ab", "-a -a", "--al"];
    "hyphen-option": Command::new("tool").arg(option("grep").short('e').allow_hyphen_values(true).num_args(1..=2)),
        ["-e --json", "-e --json -x", "-e --json --json x", "--grep=--json", "-e--json"];
    "negative-numbers": Command::new("tool").arg(option("n").allow_negative_numbers(true)
        .value_parser(value_parser!(f64))).arg(Arg::new("m").allow_negative_numbers(true)),
        ["--n -5", "--n=-5.5", "--n -1e3", "--n -x", "-3", "-.5", "-3x", "--n -5 -6"];
    "ranges": Command::new("tool").arg(option("pair").short('p').num_args(2..=3)).arg(Arg::new("x").num_args(2..=3)),
        ["a", "a b", "a b c", "a b c d", "-p a", "-p a b c d", "a b -p x y", "-p a -p b"];
    "range-then-one": Command::new("tool").arg(Arg::new("from").num_args(1..).required(true))
        .arg(Arg::new("to").required(true)), ["a", "a b", "a b c", "a b -- c"];
    "optional-equals": Command::new("tool").arg(option("colour").num_args(0..=1).require_equals(true)
        .default_missing_value("always").value_parser(["always", "never"])),
        ["--colour", "--colour=never", "--colour never", "--colour=x", "--colour=", "--colour --colour"];
    "missing-values": Command::new("tool").arg(option("p").num_args(0..=2).default_missing_values(["a", "b"])),
        ["--p", "--p x", "--p x y", "--p x y z", "--p= --p"];
    "pacman": pacman(), ["-Syu", "-Ss x y", "-Q", "-SQ", "-Qi", "--sync --bad", "-Sx", "-S pkg", "-Ss x pkg", "--syn", "-Sh"];
    "infer-long": Command::new("tool").infer_long_args(true).args([flag("verbose"), option("version-file"),
        option("output-dir")]), ["--verb", "--version-f x", "--output x", "--output=x", "--ver", "--outpu x", "--verb=1"];
    "override-delimited": Command::new("tool").args_override_self(true).arg(option("l").value_delimiter(','))
        .arg(flag("on")), ["--l a,b --l c", "--on --on", "--l a, --l ,"];
    "ignore-errors-below": subcommands().ignore_errors(true).subcommand_required(true),
        ["list --bad", "shwo", "--bad list", "show", "show 1 2 3", "list --all=x"];
    "help-is-a-word": Command::new("tool").disable_help_flag(true).disable_help_subcommand(true)
        .arg(option("help")).subcommand(Command::new("help").arg(Arg::new("topic"))),
        ["--help x", "help", "help x", "help x y", "help -h", "--help=x help y"];
    "help-is-a-flag": Command::new("tool").version("1").disable_help_flag(true).arg(flag("help").short('h'))
        .arg(flag("version-info").short('V')).disable_version_flag(true), ["--help -h", "-hV", "--help=x"];
    "parsers": Command::new("tool").args([option("lines").value_parser(lines), option("wordless").value_parser(wordless),
        option("path").value_parser(PathBufValueParser::new()), option("os").value_parser(OsStringValueParser::new())]),
        ["--lines x", "--wordless x", "--path=", "--path ''", "--os ''", "--os %FF", "--lines %FF"];
    "environment-number": Command::new("tool").arg(option("n").env("TOOL_OUTPUT").value_parser(value_parser!(u8))),
        ["--n 5", "--n x"];
    "environment-flag": Command::new("tool").arg(flag("on").env("TOOL_OUTPUT").hide_env(true)), ["--on"];
    "environment-required": Command::new("tool").arg(option("mode").env("TOOL_OUTPUT").required(true)
        .value_parser(["json", "text"])).arg(option("none").env("TOOL_NONE").required(true)), ["--none x", "--mode text"];
    "applets": Command::new("box").multicall(true).subcommands([
        Command::new("tool").about("Applet").version("7").arg(flag("all")).arg(Arg::new("x")),
        Command::new("other").arg(option("n"))]), ["x", "--all", "--al", "x y", "other"];
    "external-bytes": Command::new("tool").allow_external_subcommands(true)
        .external_subcommand_value_parser(value_parser!(OsString)).arg(flag("own")),
        ["any %FF --json", "%FF a", "--own any --own", "--bad any", "-- any"];
    "external-beside": subcommands().allow_external_subcommands(true)
        .external_subcommand_value_parser(value_parser!(String)), ["any %FF", "lis --all", "list --al", "any -h", "help any"];
    "bytes": Command::new("tool").args([option("name").short('n'), option("path").value_parser(value_parser!(std::path::PathBuf)),
        Arg::new("file")]).arg(flag("all").short('a')),
        ["%FF", "--name %FF", "--name=a%FFb", "-n%FF", "--path %FF", "--path=%FF", "--%FF", "-%FF", "-a%FF", "-- %FF", "--name%FF x"];
    "groups": Command::new("tool").args([flag("a"), flag("b"), flag("c"), option("d")])
        .group(ArgGroup::new("some").args(["a", "b"]).multiple(true).requires("d"))
        .group(ArgGroup::new("other").args(["c"]).conflicts_with("some")),
        ["--a --b", "--a --b --d x", "--a --c --d x", "--c", "--a --c"];
    "exclusive-positional": Command::new("tool").args([flag("a"), option("b")]).arg(Arg::new("x").exclusive(true)),
        ["x --a", "x", "--b 1 x", "x --bad"];
    "conditions": Command::new("tool").args([option("a").required_if_eq_any([("b", "x"), ("c", "y")]), option("b"),
        option("c"), option("d").default_value_ifs([("b", "x", Some("of-x")), ("c", "y", None)]).default_value("plain"),
        option("e").required_unless_present_any(["b", "c"])]),
        ["--b x", "--c y", "--b x --a 1", "--c z", "--b q", "--e 1"];
    "order": Command::new("tool").next_display_order(None).args([flag("zeta"), flag("alpha"), option("mid").display_order(0)])
        .subcommands([Command::new("z").display_order(1), Command::new("a").display_order(2)]), ["z -h", "help a"];
    "template-parts": subcommands().author("Ada").before_help("Before").after_help("After").help_template(
        "{before-help}{name} ({bin}) {about-with-newline}{author-with-newline}{usage-heading}{tab}{usage}\n{subcommands}\n\
         {options}{positionals}{after-help}"), ["list -h", "show --help"];
    "colour-below": subcommands().color(ColorChoice::Always).mut_subcommand("list", |it| it.color(ColorChoice::Never)),
        ["list --bad", "show --bad", "list -h"];
    "terminated": Command::new("tool").arg(Arg::new("x").num_args(1..).value_terminator("--done").allow_hyphen_values(true))
        .arg(Arg::new("y")), ["a b --done c", "a --json --done", "--done", "a --done b c"];
    "empty-values": Command::new("tool").arg(option("s").short('s')).arg(Arg::new("x").value_parser(
        clap::builder::NonEmptyStringValueParser::new())), ["--s ''", "''", "--s=", "-s ''", "-s= x", "'' ''"];
    "tree": tree(), ["a", "a b", "a b c", "a b c -l 5 -o 6", "-l 1 a b c --level 2", "a help b", "help a b c", "a b --help",
        "a b d", "a b c --leve 3", "a b c -h", "help a x", "a b -V"];
    "word-or-command": subcommands().arg(Arg::new("file")), ["file", "file list", "list file", "-- list", "lis", "-- --json"];
    "word-then-command": subcommands().args_conflicts_with_subcommands(true).arg(Arg::new("file").required(true)),
        ["file", "file list", "list", "-- list"];
    "letters": Command::new("tool").about("Größen").args([flag("größe").short('ö'), option("名前").short('名')]),
        ["--größe", "-ö", "--größ", "-ä", "-名 x", "--名前=x", "-ö名x"];
    "choices-without-case": Command::new("tool").arg(option("when").ignore_case(true)
        .value_parser(PossibleValuesParser::new(["always", "never"])).default_value("never")), ["--when ALWAYS", "--when x", "--when Nev"];
    "value-hidden": Command::new("tool").arg(option("n").hide_possible_values(true).value_parser(["a", "b"])
        .long_help("Long\n\nhelp").default_value("a")), ["--n c"];
    "raw-mix": Command::new("tool").arg(flag("x")).arg(Arg::new("first")).arg(Arg::new("rest").raw(true)),
        ["a -- b --json", "--x a -- -h", "a b", "a --x -- --x"];
    "many-and-flag": Command::new("tool").arg(option("many").short('m').num_args(1..)).arg(flag("all").short('a')),
        ["-m a b -a", "-m -a", "-m a -m b", "-ma b", "-m=a b", "-am x y"];
    "required-hidden": Command::new("tool").arg(option("secret").hide(true).required(true)).arg(option("open").required(true)),
        ["--open x", "--secret x"];
    "require-help-default": Command::new("tool").arg_required_else_help(true).arg(option("n").default_value("5")), ["--n 6"];
}
