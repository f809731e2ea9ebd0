// The contract of the clients in Chromium.
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { isBuilt } from "../../../testing/gameServer.mjs";
import { launch, skip as noChromium } from "../../../web/test/harness.mjs";
import { statements } from "../contract.mjs";
import { ContractHost } from "../contractHost.mjs";

const skip = noChromium || (isBuilt ? false : "The server is not built. Run: dotnet build tests/PlayChat.GameServer");
const host = new ContractHost();
let browser;
let page;

before(async () => {
    if (skip) {
        return;
    }
    const { outputFiles: [script] } = await build({
        stdin: {
            contents: `
                import { ContractRun, statements } from "../contract.mjs";
                const host = Object.fromEntries(["server", "proxy", "cut", "silence", "close"].map(
                    (name) => [name, (...args) => globalThis.contractHost(name, args)]));
                globalThis.keep = async (name) => {
                    const run = new ContractRun(host, WebSocket);
                    try {
                        await statements[name](run);
                    } finally {
                        await run.dispose();
                    }
                };`,
            resolveDir: fileURLToPath(new URL(".", import.meta.url)),
        },
        bundle: true,
        write: false,
    });
    browser = await launch();
    page = await (await browser.newContext()).newPage();
    await page.exposeFunction("contractHost", (name, args) => host[name](...args));
    await page.addScriptTag({ content: script.text });
});
after(async () => {
    await browser?.close();
    await host.dispose();
});

for (const name of Object.keys(statements)) {
    test(name, { skip, timeout: 60_000 }, () => page.evaluate((statement) => globalThis.keep(statement), name));
}
