import { ChatError, ErrorCode, RequestTimeoutError, connect } from "@playchat/client";
import WebSocket from "ws";

const client = await connect("ws://127.0.0.1:7780/ws", { webSocket: WebSocket });
await client.login({ name: "Min" });

try {
    await client.joinRoom(404n, { timeoutMs: 5000, signal: AbortSignal.timeout(3000) });
} catch (error) {
    if (error instanceof ChatError && error.code === ErrorCode.ROOM_NOT_FOUND) {
        console.log(`refused: ${error.codeName}`);
    } else if (error instanceof RequestTimeoutError) {
        console.log("no answer in time; the server may have carried the request out nevertheless");
    } else {
        throw error;
    }
}

await client.close();
