// Writes src/gen from proto/: the messages by buf and protoc-gen-es, the close codes from proto/close-codes.json.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const proto = fileURLToPath(new URL("../../../proto", import.meta.url));
const gen = `${here}/src/gen`;

rmSync(gen, { recursive: true, force: true });
mkdirSync(gen, { recursive: true });
execFileSync("npx", ["--no-install", "buf", "generate", proto, "--template", `${here}/scripts/buf.gen.json`, "--output", here], {
    cwd: here,
    stdio: "inherit",
});

const codes = JSON.parse(readFileSync(`${proto}/close-codes.json`, "utf8"));
const lines = codes.map(({ reason, name, advice }) => `    { reason: ${reason}, name: "${name}", advice: "${advice}" },\n`);
writeFileSync(
    `${gen}/closeCodes.ts`,
    `// Generated from proto/close-codes.json by scripts/generate.mjs. Do not edit.\nexport const closeCodes = [\n${lines.join("")}] as const;\n`,
);
