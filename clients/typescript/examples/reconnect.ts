import { closeReasonName, connect } from "@playchat/client";
import WebSocket from "ws";

const client = await connect("ws://127.0.0.1:7780/ws", { webSocket: WebSocket, reconnectTimeoutMs: 60_000 });
client.on("reconnecting", ({ attempt, reason }) => console.log(`${closeReasonName(reason)}, attempt ${attempt}`));
client.on("reconnected", ({ recovered, rooms }) => {
    const missed = rooms.reduce((sum, room) => sum + room.missedMessages, 0);
    console.log(recovered ? `back; ${missed} messages follow` : "back; some messages may be missing");
});
client.on("closed", ({ reason }) => console.log(`the end: ${closeReasonName(reason)}`));

await client.login({ name: "Min" });
await client.close();
