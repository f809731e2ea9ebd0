// The decoder as a page would load it, minified, must stay small.
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const maxBytes = 10_240;
const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
});
const bytes = outputFiles[0].contents.byteLength;
const compressed = gzipSync(outputFiles[0].contents, { level: 9 }).byteLength;
console.log(`@playchat/state: ${bytes} bytes minified, at most ${maxBytes}; ${compressed} compressed.`);
process.exitCode = bytes > maxBytes ? 1 : 0;
