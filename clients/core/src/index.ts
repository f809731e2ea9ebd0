export {
    type ClientEvents, type ClientOptions, type Entered, type Entry, GameClient, type GameRequestOptions, type Reply, type Resume,
} from "./client.js";
export { type CloseAdvice, type CloseReason, CloseReasons, adviceOf, closeReasonName } from "./closeReasons.js";
export {
    ConnectError, ConnectionClosedError, MalformedPacketError, RequestFailedError, RequestTimeoutError, TooManyRequestsError,
} from "./errors.js";
export type { ClosedEvent, ReconnectingEvent } from "./events.js";
export type { SessionState } from "./lastingLink.js";
export { type NetworkSignals, browserNetwork } from "./network.js";
export type { LinkOptions, ServerAddress, WebSocketLike } from "./options.js";
export { type MessageOf, type PacketType, json, raw } from "./packetType.js";
export type { RequestOptions } from "./requests.js";
