//! The laws of locks and comparisons, over random contracts.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

use manila::{Status, Transcript};
use manila_check::Declaration;
use manila_contract::{Change, Family, Lock, Versions, compare, from_recorded, merged};
use manila_pack::Packs;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// A document such as programs write.
fn document() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..3i32).prop_map(Value::from),
        Just(json!(1.5)),
        select(vec!["word", "2026-11-16", "2026-11-16T09:30:00Z", "/etc/x"]).prop_map(Value::from),
    ];
    let key =
        select(vec!["id", "name", "created_at", "createdAt", "state", "10.0.0.1", "example.org"]);
    let object = proptest::collection::btree_map(key, scalar.clone(), 0..5).prop_map(|map| {
        Value::Object(map.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    });
    let payload = prop_oneof![
        object.clone(),
        scalar,
        proptest::collection::vec(object, 0..3).prop_map(Value::from),
    ];
    prop_oneof![
        payload.clone(),
        payload.clone().prop_map(|data| json!({"data": data})),
        payload.clone().prop_map(|data| json!({"ok": true, "type": "notes", "data": data})),
        (select(vec!["GONE", "BUSY", "NOT_FOUND"]), any::<bool>()).prop_map(
            |(code, retryable)| json!(
                {"ok": false, "error": {"code": code, "message": "m", "retryable": retryable}}
            )
        ),
    ]
}

/// A recorded run, by one of a few names.
fn run() -> impl Strategy<Value = (String, Transcript)> {
    let command = select(vec!["list", "show", "rm", "remove"]);
    let name = select(vec!["one", "two", "three"]);
    (command, name, document(), 0..3i32, any::<bool>()).prop_map(
        |(command, name, document, status, noise)| {
            let argv = ["notes", command, "--json"].map(str::to_owned).to_vec();
            let text = format!("{}{document}\n", if noise { "loading\n" } else { "" });
            (
                name.to_owned(),
                Transcript { argv, ..Transcript::from_stdout(text, Status::Exited(status)) },
            )
        },
    )
}

fn runs() -> impl Strategy<Value = Vec<(String, Transcript)>> {
    proptest::collection::vec(run(), 0..6)
}

/// The surface of a command, as lines.
fn surface() -> impl Strategy<Value = String> {
    let line = select(vec![
        "/list : command",
        "/list alias ls",
        "/list flag --all : switch",
        "/list flag --limit : number",
        "/list flag --limit default : 20",
        "/list flag --limit : value",
        "/list arg 1 : ID",
        "/list arg 1 required",
        "/list arg 2 : TO",
        "/list effects : none",
        "/list effects : writes",
        "/show flag --all : switch",
        "/ json : --json",
        "/ json : --format",
        "/list call sample : ok",
        "/list call sample : error GONE",
        "/list call missing : error GONE",
        "/list call missing : error BUSY",
        "/list call missing : exit 3",
        "/list error GONE",
        "/list error BUSY",
        "/list exit 3",
        "/list error GONE status : 4",
        "/list error GONE status : 0",
        "/list error BUSY retryable : true",
    ]);
    proptest::collection::btree_map(line.prop_map(str::to_owned), Just(()), 0..10).prop_map(
        |lines| {
            let mut text = "manila.lock 1\n".to_owned();
            let mut keys = std::collections::BTreeSet::new();
            for line in lines.into_keys() {
                let key = line.split(" : ").next().unwrap_or_default().to_owned();
                if keys.insert(key) {
                    text.push_str(&line);
                    text.push('\n');
                }
            }
            text + "end\n"
        },
    )
}

fn lock() -> impl Strategy<Value = Lock> {
    (runs(), surface())
        .prop_map(|(runs, surface)| merged([frozen(&runs), Lock::read(&surface).expect("a lock")]))
}

fn frozen(runs: &[(String, Transcript)]) -> Lock {
    from_recorded(runs, &Declaration::default(), &Packs::default())
}

fn without_versions(changes: Vec<Change>) -> Vec<Change> {
    let is_remark = |it: &Change| it.rule.family == Family::Comparison && it.commands.is_empty();
    changes.into_iter().filter(|it| !is_remark(it)).collect()
}

/// The text with every mark of few samples taken away.
fn without_thin(lock: &Lock) -> String {
    let text = lock.write().replace(" always?", " always");
    Lock::read(&text).expect("a lock").write()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn nothing_changes_between_a_contract_and_itself(lock in lock()) {
        prop_assert_eq!(compare(&lock, &lock, &Versions::default()), Vec::new());
    }

    #[test]
    fn the_other_way_round_every_change_is_its_mirror(old in lock(), new in lock()) {
        let there = without_versions(compare(&old, &new, &Versions::default()));
        let back = without_versions(compare(&new, &old, &Versions::default()));
        let key = |it: &Change| format!("{} {:?} {:?} {:?}", it.rule.id, it.commands, it.old, it.new);
        let mut mirrored: Vec<String> =
            there.iter().map(|it| key(&it.mirrored().expect("a mirror"))).collect();
        let mut found: Vec<String> = back.iter().map(key).collect();
        mirrored.sort();
        found.sort();
        prop_assert_eq!(mirrored, found);
    }

    #[test]
    fn a_lock_survives_writing_and_reading(lock in lock()) {
        let text = lock.write();
        let read = Lock::read(&text).expect("a lock");
        prop_assert_eq!(&read.write(), &text);
        prop_assert_eq!(compare(&lock, &read, &Versions::default()), Vec::new());
    }

    #[test]
    fn neither_order_nor_repetition_of_runs_shows(runs in runs(), at in 0..6usize) {
        let text = frozen(&runs).write();
        let mut other = runs.clone();
        other.rotate_left(at.min(runs.len().saturating_sub(1)));
        other.extend(runs.iter().take(at).cloned());
        other.reverse();
        prop_assert_eq!(frozen(&other).write(), text);
    }

    #[test]
    fn merging_locks_is_freezing_all_they_were_frozen_from(one in runs(), other in runs()) {
        let both = frozen(&[one.clone(), other.clone()].concat());
        // What was frozen in memory knows its samples.
        prop_assert_eq!(merged([frozen(&one), frozen(&other)]).write(), both.write());
        // A file says only whether they were enough.
        let read = |runs: &[_]| Lock::read(&frozen(runs).write()).expect("a lock");
        let merged = merged([read(&one), read(&other)]);
        prop_assert_eq!(without_thin(&merged), without_thin(&both));
        let thin = |lock: &Lock| lock.write().matches(" always?").count();
        prop_assert!(thin(&merged) >= thin(&both));
    }

    #[test]
    fn no_text_breaks_the_reader(text in "\\PC{0,80}", lock in lock(), at in 0..400usize) {
        let _ = Lock::read(&text);
        let mut whole = lock.write();
        let at = (0..=at.min(whole.len() - 1)).rev().find(|at| whole.is_char_boundary(*at)).unwrap_or_default();
        whole.insert_str(at, &text);
        let _ = Lock::read(&whole);
        whole.truncate(at);
        prop_assert!(Lock::read(&whole).is_err(), "a truncated lock is rejected");
    }
}
