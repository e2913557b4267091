//! `schema`: the envelope, every type of answer and every error code of the program.

use super::exits::{class, exit_codes, is_retryable, status};
use super::schema_of;
use crate::call::Call;
use crate::call::setup::BuiltIn;
use crate::code::Code;
use crate::declared::Declared;
use crate::error::Error;
use crate::flag::Flag;
use crate::reply::{Kind, Reply, Shape, data_of};
use crate::screen::Screen;
use clap::{Arg, ArgMatches, Command};
use manila::did_you_mean;
use manila::json::{Raw, SerializeError};
use manila::manifest::ExitCodes;
use schemars::{JsonSchema, Schema};
use serde::Serialize;

pub(super) const BUILT_IN: BuiltIn = BuiltIn {
    command: || {
        let name = Arg::new(TYPE).value_name("TYPE").help("One type alone");
        Command::new("schema").about("List every type of answer and every error code").arg(name)
    },
    run,
    flag: Some(Flag::Schema),
    text: false,
    kinds: |kinds| {
        Contract::kinds(kinds);
        OneType::kinds(kinds);
    },
};

/// The id of the argument.
const TYPE: &str = "type";

fn run(call: &Call, matches: &ArgMatches) -> Result<Box<dyn Reply>, Error> {
    let kinds = call.setup.all_kinds();
    // As a flag it has no arguments, and then there is not even such an id.
    let Some(name) = matches.try_get_one::<String>(TYPE).ok().flatten() else {
        return Ok(Box::new(Contract::new(call, &kinds)?));
    };
    let Some(kind) = kinds.iter().find(|kind| kind.name == name) else {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
        let all = names.join(", ");
        let suggestion = match did_you_mean(name, names.iter().copied()) {
            Some(question) => format!("{question} There are: {all}"),
            None => format!("one of: {all}"),
        };
        let message = format!("the program answers with no type '{name}'");
        return Err(call.error(Code::InvalidValue, message).suggestion(suggestion));
    };
    Ok(Box::new(OneType::new(kind)))
}

/// Everything that the program can answer.
#[derive(Debug, Serialize, JsonSchema)]
struct Contract {
    /// The envelope that answers come in.
    dialect: &'static str,
    /// The schema of that envelope.
    #[schemars(with = "Schema")]
    envelope: Raw,
    /// Every type of answer.
    types: Vec<OneType>,
    /// Every error code.
    codes: Vec<ErrorCode>,
    /// The numbers that the program may end with.
    exit_codes: ExitCodes,
}

/// A type of answer.
#[derive(Debug, Serialize, JsonSchema)]
struct OneType {
    /// What an answer calls it.
    name: &'static str,
    /// The schema of the payload.
    schema: Schema,
}

/// An error code.
#[derive(Debug, Serialize, JsonSchema)]
struct ErrorCode {
    code: &'static str,
    /// The class of the outcome.
    exit: &'static str,
    /// The number that it ends with. A run that a signal ended may say which signal instead.
    status: i32,
    /// What it means.
    meaning: &'static str,
    /// What the error itself will say about calling again, unless it knows better.
    retryable: bool,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<&'static str>,
}

impl Contract {
    fn new(call: &Call, kinds: &[Kind]) -> Result<Contract, Error> {
        let envelope =
            Raw::from_serialize(&call.dialect.table().json_schema()).map_err(|error| {
                let message = format!("the schema of {} is no JSON: {error}", call.dialect.id());
                call.error(Code::SerializationFailed, message)
            })?;
        let declared = call.setup.all_declared();
        Ok(Contract {
            dialect: call.dialect.id(),
            envelope,
            types: kinds.iter().map(OneType::new).collect(),
            codes: declared.iter().map(|one| ErrorCode::new(call, one)).collect(),
            exit_codes: exit_codes(call, &declared),
        })
    }
}

impl OneType {
    fn new(kind: &Kind) -> OneType {
        OneType { name: kind.name, schema: schema_of(&[*kind]).unwrap_or_default() }
    }
}

impl ErrorCode {
    fn new(call: &Call, one: &Declared) -> ErrorCode {
        let exit = class(call, one);
        ErrorCode {
            code: one.code,
            exit: exit.name(),
            status: status(call, one),
            meaning: one.meaning,
            retryable: is_retryable(call, one),
            suggestion: one.suggestion,
        }
    }
}

impl Reply for Contract {
    fn kind(&self) -> &'static str {
        "schema"
    }

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        data_of(self)
    }

    fn show(&self, screen: &mut Screen) {
        let types = self.types.iter().map(|one| ["type".to_owned(), one.name.to_owned()]);
        screen.table(["", "TYPE"], types);
        if screen.is_rich() {
            screen.line("");
        }
        let row = |code: &ErrorCode| {
            let [name, exit, meaning] = [code.code, code.exit, code.meaning].map(str::to_owned);
            ["code".to_owned(), name, code.status.to_string(), exit, meaning]
        };
        screen.table(["", "CODE", "STATUS", "CLASS", "MEANING"], self.codes.iter().map(row));
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::new::<Contract>("schema"));
    }
}

impl Reply for OneType {
    fn kind(&self) -> &'static str {
        "type_schema"
    }

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        data_of(self)
    }

    fn show(&self, screen: &mut Screen) {
        // People who ask for a schema want to read it, and what they save should be one.
        if let Ok(schema) = serde_json::to_string_pretty(&self.schema) {
            screen.line(schema);
        }
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::new::<OneType>("type_schema"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::program;
    use serde_json::{Value, json};

    fn names(schema: &Value) -> Vec<&str> {
        let types = schema["types"].as_array().expect("a list");
        types.iter().map(|one| one["name"].as_str().expect("a name")).collect()
    }

    #[test]
    fn the_contract_has_the_envelope_the_types_the_codes_and_the_numbers() {
        let schema = program::envelope("notes schema --json")["data"].take();
        let keys: Vec<&String> = schema.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["dialect", "envelope", "types", "codes", "exit_codes"]);
        assert_eq!(schema["dialect"], "response-envelope/1.6");
        // It is the dialect's, and tested there.
        assert_eq!(schema["envelope"]["$schema"], "https://json-schema.org/draft/2020-12/schema");
        let types = "note note_list manifest schema type_schema help version valid";
        assert_eq!(names(&schema), types.split(' ').collect::<Vec<_>>());
        let note = json!({
            "type": "object",
            "properties": {
                "id": {"type": "integer", "format": "uint32", "minimum": 0},
                "text": {"type": "string"},
                "tag": {"type": ["string", "null"]},
            },
            "required": ["id", "text"],
        });
        assert_eq!(schema["types"][0]["schema"]["$defs"]["Note"], note);
        assert_eq!(schema["types"][7]["schema"]["$defs"]["Valid"]["type"], "object");
        let missing = json!({
            "code": "NO_SUCH_NOTE",
            "exit": "NOT_FOUND",
            "status": 5,
            "meaning": "there is no note {id}",
            "retryable": false,
            "suggestion": "ids begin at 1",
        });
        assert_eq!(schema["codes"][0], missing);
    }

    #[test]
    #[cfg_attr(any(not(unix), manila_portable), ignore = "no signal has a number there")]
    fn every_number_of_every_code_is_in_it() {
        let schema = program::envelope("notes schema --json")["data"].take();
        let numbers: Vec<&String> =
            schema["exit_codes"].as_object().expect("a map").keys().collect();
        let expected = "0 1 2 4 5 6 10 12 13 100 129 130 143";
        assert_eq!(numbers, expected.split(' ').collect::<Vec<_>>());
        let conflict = json!({
            "name": "CONFLICT",
            "retryable": true,
            "effects": "none",
            "codes": ["LOCKED"],
        });
        assert_eq!(schema["exit_codes"]["6"], conflict);
    }

    // proves: O-013
    #[test]
    fn the_flag_and_the_command_say_the_same() {
        let data = |words: &str| program::envelope(words)["data"].to_string();
        assert_eq!(data("notes --schema --json"), data("notes schema --json"));
        assert_eq!(data("notes list --schema --json"), data("notes schema --json"));
    }

    #[test]
    fn every_type_of_every_answer_is_in_it() {
        let schema = program::envelope("notes schema --json")["data"].take();
        let names = names(&schema);
        let answers = [
            "notes manifest --json",
            "notes schema --json",
            "notes schema note --json",
            "notes --help --json",
            "notes --version --json",
            "notes list --all --validate-only --json",
        ];
        for words in answers {
            let envelope = program::typed(words);
            let kind = envelope["type"].as_str().expect("a type");
            assert!(names.contains(&kind), "{words}: {kind} is not in {names:?}");
        }
        for (kind, _) in program::examples() {
            assert!(names.contains(&kind), "{kind}");
        }
    }

    #[test]
    fn every_code_is_in_it_with_its_number() {
        let schema = program::envelope("notes schema --json")["data"].take();
        let codes = schema["codes"].as_array().expect("a list");
        let of = |code: &str| codes.iter().find(|one| one["code"] == code).expect("the code");
        assert_eq!(of("NO_SUCH_NOTE")["status"], 5);
        assert_eq!(of("NO_SUCH_NOTE")["suggestion"], "ids begin at 1");
        assert_eq!(of("LOCKED")["retryable"], true);
        for code in crate::Code::ALL {
            of(code.name());
        }
        for one in codes.iter().filter(|one| one["code"] != "CANCELLED") {
            let row = &schema["exit_codes"][one["status"].to_string()];
            assert!(row["codes"].as_array().expect("a list").contains(&one["code"]), "{one}");
        }
    }

    #[test]
    fn one_type_can_be_had_alone_and_a_wrong_name_is_corrected() {
        let one = program::envelope("notes schema note_list --json")["data"].take();
        assert_eq!(one["name"], "note_list");
        let refused = program::envelope("notes schema note_lst --json");
        assert_eq!(refused["error"]["code"], "INVALID_VALUE");
        let suggestion = refused["error"]["suggestion"].as_str().expect("a suggestion");
        assert!(
            suggestion.starts_with("did you mean note_list? There are: note, "),
            "{suggestion}"
        );
        let refused = program::envelope("notes schema zzz --json");
        let suggestion = refused["error"]["suggestion"].as_str().expect("a suggestion");
        assert!(suggestion.starts_with("one of: note, note_list, "), "{suggestion}");
    }

    #[test]
    fn people_get_tables_and_one_type_as_it_is() {
        let plain = |words: &str| String::from_utf8(program::answer(words).stdout).expect("UTF-8");
        let whole = plain("notes schema --output plain");
        assert!(whole.contains("type\tnote_list\n"), "{whole}");
        assert!(whole.contains("code\tNO_SUCH_NOTE\t5\tNOT_FOUND\t"), "{whole}");
        let one = plain("notes schema note --output plain");
        let schema: Value = serde_json::from_str(&one).expect("JSON");
        assert!(schema["$defs"]["Note"].is_object(), "{schema}");
    }
}
