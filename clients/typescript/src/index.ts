export {
    ChatClient, type CreateRoomOptions, type Credentials, type HistoryRange, type JoinRoomOptions, type Moderation, type RoomOptions,
    type SearchOptions,
    type SendOptions, connect,
} from "./client.js";
export { ChatError } from "./errors.js";
export type {
    ChatEvents, DirectEvent, DirectSentEvent, EditedEvent, InvitedEvent, MemberJoinedEvent, MessageEvent, NoticeEvent, ReactionEvent, ReconnectedEvent,
    ReportedEvent, RoomEnteredEvent, RoomLeftEvent, RoomStateEvent, TypingEvent,
} from "./events.js";
export type { Device } from "./gen/device_pb.js";
export type {
    Conversation, ConversationPlace, SBlockPlayerRes, SDirectChatNtf, SDirectChatRes, SDirectHistoryRes, SDirectSentNtf, SListConversationsRes,
} from "./gen/direct_pb.js";
export { ErrorCode } from "./gen/error_pb.js";
export type { ServerInfo } from "./gen/login_pb.js";
export { PacketId } from "./gen/packets_pb.js";
export { ModerationAction, RoomRole } from "./gen/room_pb.js";
export type {
    HistoryGap, ListedMember, Member, Membership, Reaction, Report, RoomInfo, RoomTerms, SCreateRoomRes, SJoinRoomRes, SListMembersRes,
    SListReportsRes, SListRoomsRes, SMessageEditedNtf, SReactionNtf, SRoomChatNtf, SRoomChatRes, SRoomHistoryRes, SSearchRes,
} from "./gen/room_pb.js";
export type { LoginTokenStore } from "./kept.js";
export type { Identity } from "./login.js";
export type { ConnectOptions } from "./options.js";
export type { JoinedRoom, RoomRecovery } from "./rooms.js";
export {
    type CloseAdvice, type CloseReason, CloseReasons, type ClosedEvent, ConnectError, ConnectionClosedError, type NetworkSignals,
    type ReconnectingEvent, type RequestOptions, RequestTimeoutError, type WebSocketLike, adviceOf, browserNetwork, closeReasonName,
} from "@playchat/core";
