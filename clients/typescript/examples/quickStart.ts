import { connect } from "@playchat/client";
import WebSocket from "ws"; // Node 20. Browsers and Node 22 need neither this line nor the option webSocket.

const client = await connect("ws://127.0.0.1:7780/ws", { webSocket: WebSocket });
await client.login({ name: "Min" });

const { roomId } = await client.createRoom("lobby");
client.on("message", ({ message }) => console.log(`${message.playerName}: ${message.text}`));
await client.send(roomId, "안녕 👋");

await client.close();
