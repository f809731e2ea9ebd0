// Puts the examples into README.md, so that the code there is the code that the tests run. With --check it only compares.
import { readFileSync, writeFileSync } from "node:fs";

const readme = new URL("../README.md", import.meta.url);
const text = readFileSync(readme, "utf8");
const filled = text.replace(/^```ts file=(\w+)\n[\s\S]*?^```$/gm, (_, name) => {
    const code = readFileSync(new URL(`../examples/${name}.ts`, import.meta.url), "utf8");
    return `\`\`\`ts file=${name}\n${code}\`\`\``;
});
if (!process.argv.includes("--check")) {
    writeFileSync(readme, filled);
} else if (filled !== text) {
    console.error("README.md does not have the examples as they are. Run: node scripts/readme.mjs");
    process.exitCode = 1;
}
