// Calls every tool with the official TypeScript client. Arguments: the server and its arguments.
const assert = require("node:assert");
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { ElicitRequestSchema } = require("@modelcontextprotocol/sdk/types.js");

async function main() {
  const [command, ...args] = process.argv.slice(2);
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  let asked = 0;
  client.setRequestHandler(ElicitRequestSchema, async () => {
    asked += 1;
    return { action: "accept", content: { confirm: true } };
  });
  await client.connect(new StdioClientTransport({ command, args, env: process.env }));
  const { tools } = await client.listTools();
  assert.deepStrictEqual(tools.map((tool) => tool.name), ["find", "read", "act"]);
  const call = (name, args) => client.callTool({ name, arguments: args });
  const found = await call("find", { query: "show" });
  assert.strictEqual(found.structuredContent.ok, true);
  const good = await call("read", { argv: ["tool", "show", "good"] });
  assert.strictEqual(good.structuredContent.data.stdout, "good\n");
  // The client checks the schema of the output itself, of failures too.
  const bad = await call("read", { argv: ["tool", "show", "bad"] });
  assert.ok(bad.isError && bad.structuredContent.error.message.includes("it is gone"));
  assert.deepStrictEqual(JSON.parse(bad.content[1].text), bad.structuredContent);
  const refused = await call("read", { argv: ["tool", "frobnicate"] });
  assert.strictEqual(refused.structuredContent.error.code, "NOT_READ_ONLY");
  const done = await call("act", { argv: ["tool", "frobnicate"] });
  assert.ok(done.structuredContent.ok && asked === 1);
  const long = await call("read", { argv: ["tool", "show", "long"] });
  const rest = await client.readResource({ uri: long.structuredContent.data.resource });
  assert.ok(rest.contents[0].text.startsWith("line"));
  console.log("server", client.getServerVersion().name);
  await client.close();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
