//! The projects that the tests work on, each in a directory of its own.
#![allow(dead_code, reason = "each test file uses what it needs")]
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use manila_clap::Mode;
use showcase_test_support::Sandbox;
use std::fs;
use std::path::Path;

/// The program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_showcase-i18nprune");

/// The directory of the package.
pub(crate) const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

/// Every command that is declared to have JSON output.
pub(crate) const COMMANDS_WITH_JSON_OUTPUT: [&str; 7] =
    ["validate", "missing", "sync", "quality", "doctor", "report", "init"];

/// A directory with nothing in it.
pub(crate) fn empty() -> Sandbox {
    Sandbox::new("i18nprune", PROGRAM)
        .program(|program| program.piped(Mode::Plain).json_commands(&COMMANDS_WITH_JSON_OUTPUT))
}

/// The project that the repository shows, where it is in the repository.
pub(crate) fn demo() -> Sandbox {
    let sandbox = empty();
    copy(&Path::new(PACKAGE).join("demo"), &sandbox.directory().join("showcase/i18nprune/demo"));
    sandbox
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let from = entry.unwrap().path();
        let to = to.join(from.file_name().unwrap());
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}

/// A project of these locales and sources.
pub(crate) fn project(locales: &[(&str, &str)], sources: &[(&str, &str)]) -> Sandbox {
    let sandbox = empty().file("i18nprune.config.json", "{}\n").file("src/.keep", "");
    let sandbox = sandbox.file("locales/.keep", "");
    let add = |sandbox: Sandbox, (path, text): &(&str, &str)| sandbox.file(path, text);
    let sandbox = locales.iter().fold(sandbox, add);
    sources.iter().fold(sandbox, add)
}

/// A project in which nothing is wrong.
pub(crate) fn clean() -> Sandbox {
    project(
        &[
            (
                "locales/en.json",
                "{\n  \"title\": \"Shop\",\n  \"cart\": {\n    \"empty\": \"Your cart is empty, {{name}}.\"\n  }\n}\n",
            ),
            (
                "locales/de.json",
                "{\n  \"title\": \"Laden\",\n  \"cart\": {\n    \"empty\": \"Ihr Warenkorb ist leer, {{name}}.\"\n  }\n}\n",
            ),
        ],
        &[(
            "src/app.ts",
            "export const title = t('title');\nexport const empty = t('cart.empty', { name });\n",
        )],
    )
}

/// A project in which a good deal is wrong.
pub(crate) fn broken() -> Sandbox {
    project(
        &[
            (
                "locales/en.json",
                "{\n  \"title\": \"Shop\",\n  \"cart\": {\n    \"empty\": \"Your cart is empty, {{name}}.\",\n    \"full\": \"\"\n  },\n  \"legal\": {\n    \"terms\": \"Terms of use\"\n  }\n}\n",
            ),
            (
                "locales/de.json",
                "{\n  \"title\": \"Laden\",\n  \"cart\": {\n    \"empty\": \"Ihr Warenkorb ist leer, {{nmae}}.\"\n  },\n  \"legal\": {\n    \"terms\": \"Terms of use\",\n    \"old\": \"Alt\"\n  }\n}\n",
            ),
        ],
        &[
            (
                "src/app.tsx",
                "export const App = ({ kind }) => (\n  <main title={t('title')}>\n    {t('cart.empty')} {t('cart.total', { sum })}\n    {t(`cart.${kind}`)}\n    {/* t(kind) */}\n  </main>\n);\n",
            ),
            ("src/Help.vue", "<template>\n  <p>{{ $t('help.intro') }}</p>\n</template>\n"),
        ],
    )
}
