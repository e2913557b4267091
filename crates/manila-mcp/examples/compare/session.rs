//! A client of `manila-mcp` that counts what it sends and receives.

use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Bytes and calls.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub(crate) definitions: usize,
    pub(crate) calls: usize,
    pub(crate) bytes: usize,
}

/// A server and the client's side of its streams.
pub(crate) struct Session {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next: u64,
    pub(crate) count: Count,
}

impl Session {
    /// Starts a server for a program. Its client has no elicitation.
    pub(crate) fn start(
        bin: &Path,
        directory: &Path,
        program: &str,
        variables: &[(String, String)],
    ) -> io::Result<Session> {
        let mut command = Command::new(bin.join("manila-mcp"));
        command.arg("--cwd").arg(directory).args(["--allow", "writes", "--", program]);
        command.envs(variables.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let lost = || io::Error::other("the server has no streams");
        let stdin = child.stdin.take().ok_or_else(lost)?;
        let stdout = BufReader::new(child.stdout.take().ok_or_else(lost)?);
        let mut session = Session { child, stdin, stdout, next: 0, count: Count::default() };
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "compare", "version": "1"}});
        session.request("initialize", &params)?;
        session.count = Count::default();
        let (_, bytes) = session.request("tools/list", &json!({}))?;
        session.count = Count { definitions: bytes, ..Count::default() };
        Ok(session)
    }

    /// Calls a tool. The result.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> io::Result<Value> {
        self.count.calls += 1;
        let (answer, _) =
            self.request("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        Ok(answer["result"].clone())
    }

    fn request(&mut self, method: &str, params: &Value) -> io::Result<(Value, usize)> {
        self.next += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        let request = request.to_string();
        writeln!(self.stdin, "{request}")?;
        self.stdin.flush()?;
        let mut line = String::new();
        self.stdout.read_line(&mut line)?;
        self.count.bytes += request.len() + line.len();
        Ok((serde_json::from_str(&line)?, line.len()))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
