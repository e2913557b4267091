//! Laws that hold for all calls: wrappers and pipelines never make an effect smaller, and no write is
//! called a read because of where an option stands.

use manila_pack::{BUILTIN, Effect, effects, effects_of_line};
use proptest::prelude::*;

/// Calls with what they do.
#[rustfmt::skip]
const CALLS: &[(&str, Effect)] = &[
    ("ls -la", Effect::None), ("git status", Effect::None), ("cat x", Effect::None), ("grep -r x .", Effect::None),
    ("git fetch", Effect::Idempotent), ("mkdir -p x", Effect::Idempotent),
    ("git push", Effect::Writes), ("cp a b", Effect::Writes), ("git diff --output=x", Effect::Writes), ("sed -i p x", Effect::Writes),
    ("make", Effect::Unknown), ("git frobnicate", Effect::Unknown), ("./x", Effect::Unknown),
    ("rm x", Effect::Destroys), ("git reset --hard", Effect::Destroys), ("find . -delete", Effect::Destroys),
];
const WRAPPERS: &[&str] = &[
    "",
    "env ",
    "sudo ",
    "timeout 5 ",
    "nice -n 5 ",
    "env LC_ALL=C ",
    "command ",
    "stdbuf -oL ",
    "setsid ",
];
const SEPARATORS: &[&str] = &[" && ", " || ", "; ", " | ", "\n", " & "];
const REDIRECTS: &[&str] = &["> f", ">> f", "2> f", "&> f", ">| f", "<> f", ">f", "1>f", ">& f"];
const HARMLESS: &[&str] = &["", " 2>&1", " > /dev/null", " 2>/dev/null", " < x"];

fn call() -> impl Strategy<Value = (&'static str, Effect)> {
    proptest::sample::select(CALLS)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_wrapper_leaves_an_effect_as_it_is((line, effect) in call(), wrappers in prop::collection::vec(proptest::sample::select(WRAPPERS), 0..4)) {
        let line = format!("{}{line}", wrappers.concat());
        prop_assert_eq!(effects_of_line(&line, &BUILTIN).effect, effect, "{}", line);
    }

    #[test]
    fn several_commands_are_as_bad_as_the_worst(
        calls in prop::collection::vec(call(), 1..5),
        separators in prop::collection::vec(proptest::sample::select(SEPARATORS), 4),
        harmless in proptest::sample::select(HARMLESS),
    ) {
        let mut line = String::new();
        for (number, (call, _)) in calls.iter().enumerate() {
            if number > 0 {
                line.push_str(separators[number - 1]);
            }
            line.push_str(call);
            line.push_str(harmless);
        }
        let worst = calls.iter().map(|(_, effect)| *effect).max().unwrap_or_default();
        prop_assert_eq!(effects_of_line(&line, &BUILTIN).effect, worst, "{}", line);
        // A shell that runs it is the same.
        prop_assert_eq!(effects(&["sh", "-c", &line], &BUILTIN).effect, worst, "{}", line);
    }

    #[test]
    fn a_redirect_to_a_file_is_never_a_read(calls in prop::collection::vec(call(), 1..4), redirect in proptest::sample::select(REDIRECTS), at in 0usize..4) {
        let at = at % calls.len();
        let parts = calls.iter().enumerate().map(|(number, (call, _))| {
            if number == at { format!("{call} {redirect}") } else { (*call).to_owned() }
        });
        let line = parts.collect::<Vec<_>>().join(" | ");
        prop_assert!(effects_of_line(&line, &BUILTIN).effect >= Effect::Writes, "{}", line);
    }

    #[test]
    fn a_dangerous_option_counts_wherever_it_stands(words in prop::collection::vec(proptest::sample::select(&["-p", "--stat", "HEAD", "-n", "--foo", "x", "-w", "--color=always"][..]), 0..5), at in 0usize..6) {
        let mut argv = vec!["git", "diff"];
        argv.extend(&words);
        argv.insert((2 + at).min(argv.len()), "--output=x");
        prop_assert!(effects(&argv, &BUILTIN).effect >= Effect::Writes, "{:?}", argv);
    }

    #[test]
    fn a_dry_run_that_may_be_a_value_is_a_push(option in "--[a-z]{3,8}") {
        // `--porcelain` and its like take no value, and are known to.
        prop_assume!(!["--all", "--tags", "--atomic", "--thin", "--prune", "--quiet", "--signed", "--mirror", "--force", "--delete", "--ipv"].iter().any(|known| known.starts_with(&option) || option.starts_with(known)));
        let found = effects(&["git", "push", &option, "--dry-run"], &BUILTIN);
        prop_assert!(found.effect >= Effect::Writes, "{}: {:?}", option, found);
    }

    #[test]
    fn unknown_programs_stay_unknown(program in "[a-z]{12,16}", words in prop::collection::vec("[a-z-]{1,8}", 0..4)) {
        let mut argv = vec![program];
        argv.extend(words);
        prop_assert_eq!(effects(&argv, &BUILTIN).effect, Effect::Unknown);
    }
}
