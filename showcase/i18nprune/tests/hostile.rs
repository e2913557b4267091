//! Whatever is on the disk: a clear answer, nothing lost, and nothing made by a command that reads.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use showcase_test_support::{Sandbox, skipped};
use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use support::{clean, empty, project};

/// Every file below a directory with its bytes.
fn contents(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else {
                files.push((path.display().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn what_only_reads_changes_nothing() {
    for sandbox in [support::broken(), clean(), empty()] {
        let before = contents(sandbox.directory());
        for line in [
            "validate",
            "quality",
            "doctor",
            "report",
            "report --json",
            "explain",
            "missing --dry-run",
            "sync --dry-run --prune",
            "init --dry-run",
            "--help",
        ] {
            sandbox.call(line);
            assert_eq!(contents(sandbox.directory()), before, "{line}");
        }
    }
}

#[test]
fn a_locale_that_is_no_object_of_texts_is_refused_and_kept() {
    let deep = "{\"a\":".repeat(10_000);
    for text in ["", "[]", "\"x\"", "{\"a\": 1,}", "{\"a\": \"x\", \"a\": \"y\"}", "\u{0}", &deep] {
        let sandbox = project(&[("locales/en.json", text)], &[("src/a.js", "t('a')")]);
        for command in ["validate", "missing", "sync", "quality", "report"] {
            let called = sandbox.call(&format!("{command} --json"));
            assert_eq!(called.status, 1, "{command} {text:.20}");
            let code = called.opened().envelope.error().unwrap().code.clone();
            assert_eq!(code, "i18nprune.project.source_locale_unavailable");
        }
        assert_eq!(fs::read_to_string(sandbox.directory().join("locales/en.json")).unwrap(), text);
    }
}

#[test]
fn a_target_that_is_torn_is_reported_and_the_others_are_synced() {
    let sandbox = project(
        &[
            ("locales/en.json", "{\"a\": \"x\"}"),
            ("locales/de.json", "{"),
            ("locales/fr.json", "{}"),
        ],
        &[("src/a.js", "t('a')")],
    );
    let called = sandbox.call("sync --json");
    assert_eq!(called.status, 1);
    assert_eq!(called.opened().envelope.error().unwrap().code, "i18nprune.io.read_failed");
    let read = |code: &str| fs::read_to_string(sandbox.directory().join(code)).unwrap();
    assert_eq!(read("locales/de.json"), "{");
    assert_eq!(read("locales/fr.json"), "{\n  \"a\": \"x\"\n}\n");
}

#[test]
fn a_target_is_a_language_and_no_path() {
    let sandbox = clean().file("secret.json", "{}");
    for target in ["../secret", "..", "/etc/passwd", ".", "de/../../secret", "de.json"] {
        let called = sandbox.call_words(["sync", "--json", "--target", target]);
        assert_eq!(called.status, 1, "{target}");
        let code = called.opened().envelope.error().unwrap().code.clone();
        assert_eq!(code, "i18nprune.sync.locale_file_not_found", "{target}");
    }
    assert_eq!(fs::read_to_string(sandbox.directory().join("secret.json")).unwrap(), "{}");
}

#[test]
fn order_indentation_links_and_other_values_survive_a_change() {
    let text = "{\n\t\"z\": \"last\",\n\t\"list\": [1, 2.5, null],\n\t\"a\": \"first\"\n}\n";
    let sandbox = project(&[("real/en.json", text)], &[("src/a.js", "t('new.key')")]);
    let link = sandbox.directory().join("locales/en.json");
    symlink(sandbox.directory().join("real/en.json"), &link).unwrap();
    sandbox.succeeds("missing");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let expected = "{\n\t\"z\": \"last\",\n\t\"list\": [\n\t\t1,\n\t\t2.5,\n\t\tnull\n\t],\n\
                    \t\"a\": \"first\",\n\t\"new\": {\n\t\t\"key\": \"[missing] new.key\"\n\t}\n}\n";
    assert_eq!(fs::read_to_string(&link).unwrap(), expected);
}

#[test]
fn text_that_steers_a_terminal_does_not_reach_it() {
    let sandbox =
        project(&[("locales/en.json", "{}")], &[("src/a.js", "t('\u{1b}[2J'); t(a\u{1b}b)")]);
    for line in ["validate", "report", "report --format csv", "missing", "validate --output rich"] {
        let called = sandbox.call(line);
        let is_csv = line.ends_with("csv");
        assert!(is_csv || !called.stdout.contains(&0x1b), "{line}");
        assert!(!called.stderr.contains(&0x1b), "{line}");
    }
}

/// Whether file permissions restrict the user who runs the tests.
fn is_bound_by_rights(sandbox: &Sandbox) -> bool {
    let path = sandbox.directory().join("probe");
    fs::write(&path, "").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    let is_bound = fs::read(&path).is_err();
    fs::remove_file(path).unwrap();
    is_bound
}

#[test]
fn a_directory_that_cannot_be_written_is_reported() {
    let sandbox = project(&[("locales/en.json", "{}")], &[("src/a.js", "t('a')")]);
    // A directory that has the name of the successor keeps anybody from writing, root included.
    fs::create_dir(sandbox.directory().join("locales/.en.json.new")).unwrap();
    let called = sandbox.call("missing --json");
    assert_eq!(called.opened().envelope.error().unwrap().code, "i18nprune.io.write_failed");
    assert_eq!(fs::read_to_string(sandbox.directory().join("locales/en.json")).unwrap(), "{}");
}

#[test]
fn a_source_that_cannot_be_read_is_an_error() {
    let sandbox = clean().file("src/closed.js", "t('b')");
    if !is_bound_by_rights(&sandbox) {
        return skipped("the user who runs the tests may read every file");
    }
    let path = sandbox.directory().join("src/closed.js");
    fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    let called = sandbox.call("validate --json");
    assert_eq!(called.opened().envelope.error().unwrap().code, "i18nprune.io.read_failed");
}

#[test]
fn a_pipe_does_not_block() {
    for path in ["locales/en.json", "locales/de.json", "src/app.ts", "i18nprune.config.json"] {
        let sandbox = clean();
        let pipe = sandbox.directory().join(path);
        fs::remove_file(&pipe).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        // Without its source the project is well; without anything else it is not.
        let is_source = path.starts_with("src");
        assert_eq!(sandbox.call("validate --json --timeout 20s").status == 0, is_source, "{path}");
    }
}

#[test]
fn a_report_takes_the_place_of_a_file_and_of_nothing_else() {
    let sandbox = clean();
    let pipe = sandbox.directory().join("pipe.html");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for out in ["pipe.html", "src", "/"] {
        let called = sandbox.call(&format!("report --json --out {out}"));
        assert_eq!(called.status, 1, "{out}");
        assert_eq!(called.opened().envelope.error().unwrap().code, "i18nprune.io.write_failed");
    }
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn what_is_excluded_or_foreign_is_not_read() {
    let sandbox = clean()
        .file("i18nprune.config.json", "{\"exclude\": [\"*.test.*\", \"old/\"]}")
        .file("src/app.test.ts", "t('no')")
        .file("src/old/a.ts", "t('no')")
        .file("src/node_modules/lib/a.js", "t('no')")
        .file("src/.hidden/a.js", "t('no')")
        .file("src/readme.md", "t('no')");
    let called = sandbox.succeeds("validate --json");
    assert_eq!(called.data::<serde_json::Value>()["count"], 2);
}

#[test]
fn a_link_that_leads_in_a_circle_ends() {
    let sandbox = clean();
    symlink(sandbox.directory(), sandbox.directory().join("src/loop")).unwrap();
    sandbox.succeeds("validate");
}

#[test]
fn a_page_of_hostile_sources_holds_no_script() {
    let sandbox = project(
        &[("locales/en.json", "{}")],
        &[("src/a.js", "t('</code><script>alert(1)</script>'); t(x + '<img onerror=y>')")],
    );
    let page = String::from_utf8(sandbox.succeeds("report --format html").stdout).unwrap();
    assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
}

#[test]
fn a_project_is_found_from_below_up_to_the_root_of_the_repository() {
    let sandbox = clean().file("src/deep/er/a.ts", "").file("inner/.git/HEAD", "");
    let status = |directory: &str| {
        let mut command = sandbox.command("validate --quiet");
        command.current_dir(sandbox.directory().join(directory)).output().unwrap().status.code()
    };
    assert_eq!(status("src/deep/er"), Some(0));
    assert_eq!(status("inner"), Some(1), "another repository is another project");
}

#[test]
fn the_variable_names_the_configuration_and_the_flag_wins() {
    let sandbox =
        clean().file("other.json", "{\"nonsense\": 1}").variable("I18NPRUNE_CONFIG", "other.json");
    assert_eq!(sandbox.call("validate").status, 1);
    sandbox.succeeds("validate --config i18nprune.config.json");
}

#[test]
fn a_file_keeps_its_line_ends_and_its_byte_order_mark() {
    let written = |text: &str| {
        let sandbox = project(
            &[("locales/en.json", text), ("locales/de.json", text)],
            &[("src/a.ts", "t('title'); t('cart.empty')")],
        );
        sandbox.succeeds("missing --json");
        sandbox.succeeds("sync --json");
        ["en", "de"].map(|code| {
            let path = sandbox.directory().join(format!("locales/{code}.json"));
            fs::read_to_string(path).unwrap()
        })
    };
    let unix = "{\n  \"title\": \"Shop\"\n}\n";
    let plain = written(unix);
    assert!(
        plain.iter().all(|text| text.contains("\"empty\"") && !text.contains('\r')),
        "{plain:?}"
    );
    let windows = unix.replace('\n', "\r\n");
    assert_eq!(written(&windows), plain.clone().map(|text| text.replace('\n', "\r\n")));
    let marked = format!("\u{feff}{windows}");
    let expected = plain.map(|text| format!("\u{feff}{}", text.replace('\n', "\r\n")));
    assert_eq!(written(&marked), expected);
}
