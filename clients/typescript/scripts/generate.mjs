// Writes from proto/: the messages to src/gen, by buf and protoc-gen-es, and the close codes to ../core/src/gen.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const proto = fileURLToPath(new URL("../../../proto", import.meta.url));
const gen = `${here}/src/gen`;
const coreGen = fileURLToPath(new URL("../../core/src/gen", import.meta.url));

rmSync(gen, { recursive: true, force: true });
mkdirSync(gen, { recursive: true });
execFileSync("npx", ["--no-install", "buf", "generate", proto, "--template", `${here}/scripts/buf.gen.json`, "--output", here], {
    cwd: here,
    stdio: "inherit",
});

const codes = JSON.parse(readFileSync(`${proto}/close-codes.json`, "utf8"));
const lines = codes.map(({ reason, name, advice }) => `    { reason: ${reason}, name: "${name}", advice: "${advice}" },\n`);
mkdirSync(coreGen, { recursive: true });
writeFileSync(
    `${coreGen}/closeCodes.ts`,
    `// Generated from proto/close-codes.json by clients/typescript/scripts/generate.mjs. Do not edit.\nexport const closeCodes = [\n${lines.join("")}] as const;\n`,
);
