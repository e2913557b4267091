//! What to paste into the configuration of a client so that it starts the server.

use crate::arguments::{Allow, Arguments, Client, TIMEOUT};
use crate::error::Error;
use manila_clap::{Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::env;
use std::path::{Path, PathBuf};

/// What to paste, and where.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "mcp-config", show = show)]
pub struct ClientConfig {
    /// The file that the client reads.
    pub file: &'static str,
    /// The text to paste.
    pub text: String,
}

fn show(config: &ClientConfig, screen: &mut Screen) {
    screen.verbatim(&config.text);
}

impl ClientConfig {
    /// The configuration with which a client starts this server.
    pub fn new(client: Client, arguments: &Arguments) -> Result<ClientConfig, Error> {
        let commands = arguments.commands()?;
        let name = match commands.as_slice() {
            [command] => command.first().map_or("manila", |program| base_name(program)),
            _ => "manila",
        };
        let words = words(arguments, &commands)?;
        Ok(ClientConfig { file: file(client), text: text(client, name, &manila(), &words) })
    }
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// The arguments of `manila` that start the server. Clients start servers in directories of their own
/// choice, so the directory is always among them.
fn words(arguments: &Arguments, commands: &[Vec<String>]) -> Result<Vec<String>, Error> {
    let mut words = vec!["mcp".to_owned()];
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    if arguments.allow != Allow::None {
        option("--allow", arguments.allow.as_str().to_owned());
    }
    option("--cwd", arguments.directory()?.display().to_string());
    if arguments.timeout != TIMEOUT {
        option("--timeout", manila_run::duration::format(arguments.timeout));
    }
    if let Some(log) = &arguments.log {
        let log = std::path::absolute(log).unwrap_or_else(|_| log.clone());
        option("--log", log.display().to_string());
    }
    for program in &arguments.programs {
        option("--program", program.clone());
    }
    if let ([command], []) = (commands, arguments.programs.as_slice()) {
        words.push("--".to_owned());
        words.extend(command.iter().cloned());
    }
    Ok(words)
}

/// How to call `manila`: by its name if that is in `PATH`, else by its path.
fn manila() -> String {
    let path = env::var_os("PATH").unwrap_or_default();
    let is_in_path = env::split_paths(&path).any(|dir| dir.join("manila").is_file());
    let beside = || {
        let own = env::current_exe().ok()?;
        Some(own.with_file_name("manila")).filter(|path: &PathBuf| path.is_file())
    };
    let path = if is_in_path { None } else { beside() };
    path.as_deref().and_then(Path::to_str).unwrap_or("manila").to_owned()
}

fn file(client: Client) -> &'static str {
    match client {
        Client::Claude => ".mcp.json",
        Client::Codex => "~/.codex/config.toml",
        Client::Vscode => ".vscode/mcp.json",
        Client::Cursor => ".cursor/mcp.json",
        Client::Windsurf => "~/.codeium/windsurf/mcp_config.json",
        Client::Gemini => "~/.gemini/settings.json",
        Client::Zed => "~/.config/zed/settings.json",
        Client::Opencode => "opencode.json",
    }
}

fn text(client: Client, name: &str, program: &str, words: &[String]) -> String {
    let start = json!({"command": program, "args": words});
    let entry = |key: &str, value: Value| json!({key: {name: value}});
    let document = match client {
        Client::Claude | Client::Cursor | Client::Windsurf | Client::Gemini => {
            entry("mcpServers", start)
        }
        Client::Vscode => {
            entry("servers", json!({"type": "stdio", "command": program, "args": words}))
        }
        Client::Zed => entry("context_servers", start),
        Client::Opencode => {
            let command: Vec<&str> =
                std::iter::once(program).chain(words.iter().map(String::as_str)).collect();
            entry("mcp", json!({"type": "local", "command": command, "enabled": true}))
        }
        Client::Codex => return toml_text(&entry("mcp_servers", start)),
    };
    format!("{document:#}\n")
}

/// The same in TOML. Strings and lists of strings always have a TOML form, so this cannot fail.
fn toml_text(document: &Value) -> String {
    toml::to_string(document).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Parser, ValueEnum};

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn config(client: Client, line: &str) -> ClientConfig {
        let words = std::iter::once("manila").chain(line.split(' '));
        let arguments = Cli::parse_from(words).arguments;
        ClientConfig::new(client, &arguments).unwrap()
    }

    #[test]
    fn a_client_starts_the_same_server_as_the_line() {
        let config =
            config(Client::Claude, "--allow writes --cwd /srv --timeout 30s -- git -C sub");
        let document: Value = serde_json::from_str(&config.text).unwrap();
        let args = &document["mcpServers"]["git"]["args"];
        let expected = ["mcp", "--allow", "writes", "--cwd", "/srv", "--timeout", "30s", "--"];
        assert_eq!(*args, json!([&expected[..], &["git", "-C", "sub"]].concat()));
        assert_eq!(config.file, ".mcp.json");
    }

    #[test]
    fn several_programs_have_one_server() {
        let config = config(Client::Vscode, "--cwd /srv --program git --program gh");
        let document: Value = serde_json::from_str(&config.text).unwrap();
        let expected = ["mcp", "--cwd", "/srv", "--program", "git", "--program", "gh"];
        assert_eq!(document["servers"]["manila"]["args"], json!(expected));
    }

    #[test]
    fn codex_reads_toml() {
        let config = config(Client::Codex, "--cwd /srv -- git");
        let document: toml::Table = toml::from_str(&config.text).unwrap();
        let server = &document["mcp_servers"]["git"];
        assert_eq!(server["args"].as_array().unwrap().len(), 5);
        assert!(config.text.starts_with("[mcp_servers.git]\n"), "{}", config.text);
    }

    #[test]
    fn every_client_gets_the_program_and_its_arguments() {
        for client in Client::value_variants() {
            let text = config(*client, "--cwd /srv -- git").text;
            assert!(text.contains("manila") && text.contains("\"--cwd\""), "{client:?}: {text}");
        }
    }
}
