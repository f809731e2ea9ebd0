import { connect } from "@playchat/client";
import WebSocket from "ws";

const client = await connect("ws://127.0.0.1:7780/ws", { webSocket: WebSocket });
await client.login({ name: "Min" });
const { roomId } = await client.createRoom("archive");
for (let i = 1; i <= 5; i++) {
    await client.send(roomId, `message ${i}`);
}

// The newest two messages, then page by page towards the beginning.
let page = await client.readHistory(roomId, { limit: 2 });
while (page.messages.length > 0) {
    console.log(page.messages.map((message) => message.text).join(", "));
    if (!page.more) {
        break;
    }
    page = await client.readHistory(roomId, { limit: 2, before: page.messages[0]!.sequence });
}

await client.close();
