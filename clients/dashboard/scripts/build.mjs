// Bundles the dashboard. The same sources always give the same bytes, so that a check can compare them with what is committed.
// Usage: node scripts/build.mjs [FOLDER]
import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL("..", import.meta.url));
const out = process.argv[2] ?? fileURLToPath(new URL("../../../src/PlayChat.Chat/Operations/Admin/wwwroot", import.meta.url));

mkdirSync(out, { recursive: true });
await build({
    absWorkingDir: here,
    entryPoints: { dashboard: "src/main.ts", recording: "src/recording.ts" },
    outdir: out,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    banner: { js: "/*! PlayChat dashboard, MIT. Sources: clients/dashboard. */" },
});
for (const file of ["index.html", "recording.html", "dashboard.css", "favicon.svg"]) {
    copyFileSync(`${here}/static/${file}`, `${out}/${file}`);
}
