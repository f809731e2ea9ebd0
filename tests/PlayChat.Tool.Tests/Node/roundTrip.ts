// Reads a packet a line, its name and its payload as JSON, and writes the payload that the generated packets make of it.
import { readFileSync } from "node:fs";
import * as messages from "./gen/messages.js";

const packets = messages as unknown as Record<string, { encode(message: unknown): Uint8Array; decode(payload: Uint8Array): unknown }>;
for (const line of readFileSync(0, "utf8").split("\n").filter((text) => text !== "")) {
    const space = line.indexOf(" ");
    const packet = packets[line.slice(0, space)]!;
    console.log(Buffer.from(packet.encode(packet.decode(Buffer.from(line.slice(space + 1))))).toString());
}
