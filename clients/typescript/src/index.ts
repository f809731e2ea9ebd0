export { ChatClient, type Credentials, type HistoryRange, type RoomOptions, type SendOptions, connect } from "./client.js";
export { ChatError } from "./errors.js";
export type {
    ChatEvents, DirectEvent, MemberJoinedEvent, MessageEvent, NoticeEvent, ReconnectedEvent, RoomStateEvent,
} from "./events.js";
export type { SDirectChatNtf } from "./gen/direct_pb.js";
export { ErrorCode } from "./gen/error_pb.js";
export type { ServerInfo } from "./gen/login_pb.js";
export { PacketId } from "./gen/packets_pb.js";
export type {
    HistoryGap, Member, RoomInfo, SCreateRoomRes, SJoinRoomRes, SListRoomsRes, SRoomChatNtf, SRoomChatRes, SRoomHistoryRes,
} from "./gen/room_pb.js";
export type { Identity } from "./login.js";
export type { ConnectOptions } from "./options.js";
export type { JoinedRoom, RoomRecovery } from "./rooms.js";
export {
    type CloseAdvice, type CloseReason, CloseReasons, type ClosedEvent, ConnectError, ConnectionClosedError, type NetworkSignals,
    type ReconnectingEvent, type RequestOptions, RequestTimeoutError, type WebSocketLike, adviceOf, browserNetwork, closeReasonName,
} from "@playchat/core";
