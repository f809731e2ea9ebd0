import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type DescMessage, type JsonValue, fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { decodePackets, encodePacket } from "@playchat/core/parts";
import * as connection from "../src/gen/connection_pb.js";
import * as device from "../src/gen/device_pb.js";
import * as direct from "../src/gen/direct_pb.js";
import * as error from "../src/gen/error_pb.js";
import * as login from "../src/gen/login_pb.js";
import { PacketId } from "../src/gen/packets_pb.js";
import * as room from "../src/gen/room_pb.js";
import { requests } from "../src/packets.js";

const protocol = readFileSync(new URL("../../../../proto/PROTOCOL.md", import.meta.url), "utf8");

// "C_LOGIN_REQ" is CLoginReqSchema.
function schemaOf(packetName: string): DescMessage {
    const words = packetName.toLowerCase().split("_");
    const name = `${words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("")}Schema`;
    const schema = { ...connection, ...device, ...direct, ...error, ...login, ...room }[name as never] as DescMessage | undefined;
    assert.ok(schema, `no ${name}`);
    return schema;
}

const examples = [...protocol.matchAll(/^```hex packet\n([\s\S]*?)^=> (\w+) request (\d+) (\{.*\})\n```/gm)].map(([, lines, name, id, json]) => ({
    bytes: new Uint8Array(lines!.split("\n").flatMap((line) => line.split("   ")[0]!.match(/^(?:[0-9a-f]{2} ?)+$/)?.[0].trim().split(" ") ?? [])
        .map((pair) => parseInt(pair, 16))),
    name: name!,
    requestId: Number(id),
    json: JSON.parse(json!) as JsonValue,
}));

test("PROTOCOL.md has examples", () => assert.ok(examples.length >= 20, `${examples.length}`));

for (const [index, { bytes, name, requestId, json }] of examples.entries()) {
    test(`The example ${index + 1} of PROTOCOL.md, ${name}, is decoded and encoded as it stands there`, () => {
        const [packet, ...more] = decodePackets(bytes.buffer) ?? [];
        assert.ok(packet);
        assert.equal(more.length, 0);
        assert.equal(PacketId[packet.id], name);
        assert.equal(packet.requestId, requestId);
        const schema = schemaOf(name);
        assert.deepEqual(toJson(schema, fromBinary(schema, packet.payload)), json);
        assert.deepEqual(encodePacket(packet.id, requestId, toBinary(schema, fromJson(schema, json))), bytes);
    });
}

test("Every request of packets.proto has its place among the requests, with the answer that PROTOCOL.md names", () => {
    const ids = Object.values(PacketId).filter((id): id is PacketId => typeof id === "number" && PacketId[id]!.endsWith("_REQ"));
    assert.deepEqual(Object.values(requests).map((type) => type.id).sort((a, b) => a - b), ids.sort((a, b) => a - b));
    for (const type of Object.values(requests)) {
        const name = PacketId[type.id]!;
        const [, , , , , answer] = new RegExp(`^\\| ${type.id} \\|.*`, "m").exec(protocol)![0].split("|").map((cell) => cell.trim()).slice(1);
        assert.equal(PacketId[type.answerId], answer, name);
        assert.equal(type.request, schemaOf(name));
        assert.equal(type.answer, schemaOf(answer!));
    }
});
