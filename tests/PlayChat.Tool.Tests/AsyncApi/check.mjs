// Checks an AsyncAPI document, and prints what is wrong with it.
import { readFileSync } from "node:fs";
import { Parser } from "@asyncapi/parser";

const error = 0;
const { diagnostics } = await new Parser().parse(readFileSync(process.argv[2], "utf8"));
for (const { severity, message, path } of diagnostics) {
    if (severity === error) {
        console.log(`${path.join(".")}: ${message}`);
    }
}
