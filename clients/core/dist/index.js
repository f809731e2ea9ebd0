export { GameClient, } from "./client.js";
export { CloseReasons, adviceOf, closeReasonName } from "./closeReasons.js";
export { ConnectError, ConnectionClosedError, MalformedPacketError, RequestFailedError, RequestTimeoutError, TooManyRequestsError, } from "./errors.js";
export { browserNetwork } from "./network.js";
export { json, raw } from "./packetType.js";
