//! The official clients: the SDK's own, and those for Python and TypeScript where they are installed.

#![allow(clippy::unwrap_used, clippy::default_trait_access, reason = "a test fails by panicking")]

mod support;

use rmcp::ServiceExt;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationCapability, ErrorData, Implementation, ReadResourceRequestParams,
};
use rmcp::service::{RequestContext, RoleClient};
use serde_json::{Value, json};
use showcase_test_support::skipped;
use std::process::Command;
use support::{Recorder, envelope};

/// A recorder with the outputs that every client reads.
fn recorder() -> Recorder {
    let recorder = Recorder::new();
    recorder.write("good.out", "good\n");
    recorder.write("bad.err", "fatal: it is gone\n");
    recorder.write("bad.code", "3");
    recorder.write("long.out", "line\n".repeat(10_000));
    recorder
}

fn arguments(recorder: &Recorder) -> Vec<String> {
    let cwd = recorder.path().to_str().unwrap().to_owned();
    let words = ["--cwd", &cwd, "--allow", "destroys", "--", &recorder.tool()];
    words.iter().map(ToString::to_string).collect()
}

/// What a client says, or why it was not asked.
fn run(mut interpreter: Command, probe: &[&str], script: &str) -> Result<String, String> {
    let name = interpreter.get_program().to_string_lossy().into_owned();
    let mut probed = Command::new(interpreter.get_program());
    let probed = probed.args(probe).output();
    if !probed.is_ok_and(|output| output.status.success()) {
        return Err(format!("{name} does not have the client"));
    }
    let recorder = recorder();
    let script = format!("{}/tests/clients/{script}", env!("CARGO_MANIFEST_DIR"));
    interpreter.arg(script).arg(env!("CARGO_BIN_EXE_manila-mcp")).args(arguments(&recorder));
    let output = interpreter.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert_eq!(recorder.executions().iter().filter(|argv| argv[0] == "frobnicate").count(), 1);
    Ok(String::from_utf8(output.stdout).unwrap())
}

/// An interpreter that a variable names, or the usual one.
fn interpreter(variable: &str, usual: &str) -> Command {
    Command::new(std::env::var_os(variable).unwrap_or_else(|| usual.into()))
}

#[test]
fn the_python_client_calls_every_tool() {
    match run(interpreter("MANILA_MCP_PYTHON", "python3"), &["-c", "import mcp"], "client.py") {
        Ok(said) => assert!(said.starts_with("revision 20"), "{said}"),
        Err(why) => skipped(&format!(
            "{why}: pip install mcp, and name the interpreter in MANILA_MCP_PYTHON"
        )),
    }
}

#[test]
fn the_typescript_client_calls_every_tool() {
    let probe = ["-e", "require.resolve('@modelcontextprotocol/sdk/client/index.js')"];
    match run(interpreter("MANILA_MCP_NODE", "node"), &probe, "client.cjs") {
        Ok(said) => assert_eq!(said, "server manila-mcp\n"),
        Err(why) => skipped(&format!(
            "{why}: npm install @modelcontextprotocol/sdk, and name node_modules in NODE_PATH"
        )),
    }
}

/// A client that agrees to everything.
struct Agreeing;

impl rmcp::ClientHandler for Agreeing {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::new().with_form(Default::default()));
        ClientConfig::new(capabilities, Implementation::new("test", "1"))
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({"confirm": true})))
    }
}

#[test]
fn the_client_of_the_sdk_calls_every_tool() {
    let recorder = recorder();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_manila-mcp"));
        command.args(arguments(&recorder));
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        let streams = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let client = Agreeing.serve(streams).await.unwrap();
        let tools = client.list_all_tools().await.unwrap();
        assert_eq!(tools.len(), 3);
        let call = async |tool: &'static str, arguments: Value| {
            let arguments = arguments.as_object().unwrap().clone();
            let request = CallToolRequestParams::new(tool).with_arguments(arguments);
            let result = client.call_tool(request).await.unwrap();
            envelope(&serde_json::to_value(result).unwrap())
        };
        let found = call("find", json!({"query": "show"})).await;
        assert_eq!(found["ok"], true);
        let good = call("read", json!({"argv": ["tool", "show", "good"]})).await;
        assert_eq!(good["data"]["stdout"], "good\n");
        let bad = call("read", json!({"argv": ["tool", "show", "bad"]})).await;
        assert!(bad["error"]["message"].as_str().unwrap().contains("it is gone"));
        let done = call("act", json!({"argv": ["tool", "frobnicate"]})).await;
        assert_eq!(done["ok"], true, "{done}");
        let long = call("read", json!({"argv": ["tool", "show", "long"]})).await;
        let uri = long["data"]["resource"].as_str().unwrap();
        let rest = client.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap();
        assert_eq!(rest.contents.len(), 1);
        client.cancel().await.unwrap();
        assert!(child.wait().await.unwrap().success());
    });
    assert_eq!(recorder.executions().len(), 4);
}
