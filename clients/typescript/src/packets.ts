// The packets that the client sends and takes. The messages are generated from proto/; which packet answers which is proto/PROTOCOL.md.
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { CEchoReqSchema, SEchoResSchema } from "./gen/connection_pb.js";
import {
    CChangePasswordReqSchema, CEndDeviceReqSchema, CListDevicesReqSchema, SChangePasswordResSchema, SEndDeviceResSchema,
    SListDevicesResSchema,
} from "./gen/device_pb.js";
import {
    CBlockPlayerReqSchema, CDirectChatReqSchema, CDirectHistoryReqSchema, CListConversationsReqSchema, SBlockPlayerResSchema,
    SDirectChatResSchema, SDirectHistoryResSchema, SListConversationsResSchema,
} from "./gen/direct_pb.js";
import { CLoginReqSchema, CResumeReqSchema, SLoginResSchema, SResumeResSchema } from "./gen/login_pb.js";
import { PacketId } from "./gen/packets_pb.js";
import {
    CCreateRoomReqSchema, CEditMessageReqSchema, CJoinRoomReqSchema, CLeaveRoomReqSchema, CListMembersReqSchema, CListRoomsReqSchema,
    CListReportsReqSchema, CModerateReqSchema, CReactReqSchema, CReportReqSchema, CResolveReportReqSchema, CRoomChatReqSchema,
    CRoomHistoryReqSchema, CSearchReqSchema, SCreateRoomResSchema, SEditMessageResSchema, SJoinRoomResSchema, SLeaveRoomAckSchema,
    SListMembersResSchema, SListReportsResSchema, SListRoomsResSchema, SModerateResSchema, SReactResSchema, SReportResSchema,
    SResolveReportResSchema, SRoomChatResSchema, SRoomHistoryResSchema, SSearchResSchema,
} from "./gen/room_pb.js";

/** A kind of request: its packet, and the packet that answers it. */
export interface RequestType<TRequest extends DescMessage, TAnswer extends DescMessage> {
    readonly id: PacketId;
    readonly request: TRequest;
    readonly answerId: PacketId;
    readonly answer: TAnswer;
}

export type RequestInit<T> = T extends RequestType<infer TRequest, DescMessage> ? MessageInitShape<TRequest> : never;
export type AnswerOf<T> = T extends RequestType<DescMessage, infer TAnswer> ? MessageShape<TAnswer> : never;

// The answer to the request n has the id n + 1000.
function type<TRequest extends DescMessage, TAnswer extends DescMessage>(
    id: PacketId, request: TRequest, answer: TAnswer,
): RequestType<TRequest, TAnswer> {
    return { id, request, answerId: (id + 1000) as PacketId, answer };
}

/** Every request of the protocol. */
export const requests = {
    echo: type(PacketId.C_ECHO_REQ, CEchoReqSchema, SEchoResSchema),
    login: type(PacketId.C_LOGIN_REQ, CLoginReqSchema, SLoginResSchema),
    resume: type(PacketId.C_RESUME_REQ, CResumeReqSchema, SResumeResSchema),
    createRoom: type(PacketId.C_CREATE_ROOM_REQ, CCreateRoomReqSchema, SCreateRoomResSchema),
    joinRoom: type(PacketId.C_JOIN_ROOM_REQ, CJoinRoomReqSchema, SJoinRoomResSchema),
    roomChat: type(PacketId.C_ROOM_CHAT_REQ, CRoomChatReqSchema, SRoomChatResSchema),
    leaveRoom: type(PacketId.C_LEAVE_ROOM_REQ, CLeaveRoomReqSchema, SLeaveRoomAckSchema),
    listRooms: type(PacketId.C_LIST_ROOMS_REQ, CListRoomsReqSchema, SListRoomsResSchema),
    roomHistory: type(PacketId.C_ROOM_HISTORY_REQ, CRoomHistoryReqSchema, SRoomHistoryResSchema),
    editMessage: type(PacketId.C_EDIT_MESSAGE_REQ, CEditMessageReqSchema, SEditMessageResSchema),
    moderate: type(PacketId.C_MODERATE_REQ, CModerateReqSchema, SModerateResSchema),
    listMembers: type(PacketId.C_LIST_MEMBERS_REQ, CListMembersReqSchema, SListMembersResSchema),
    search: type(PacketId.C_SEARCH_REQ, CSearchReqSchema, SSearchResSchema),
    react: type(PacketId.C_REACT_REQ, CReactReqSchema, SReactResSchema),
    report: type(PacketId.C_REPORT_REQ, CReportReqSchema, SReportResSchema),
    listReports: type(PacketId.C_LIST_REPORTS_REQ, CListReportsReqSchema, SListReportsResSchema),
    resolveReport: type(PacketId.C_RESOLVE_REPORT_REQ, CResolveReportReqSchema, SResolveReportResSchema),
    directChat: type(PacketId.C_DIRECT_CHAT_REQ, CDirectChatReqSchema, SDirectChatResSchema),
    listConversations: type(PacketId.C_LIST_CONVERSATIONS_REQ, CListConversationsReqSchema, SListConversationsResSchema),
    directHistory: type(PacketId.C_DIRECT_HISTORY_REQ, CDirectHistoryReqSchema, SDirectHistoryResSchema),
    blockPlayer: type(PacketId.C_BLOCK_PLAYER_REQ, CBlockPlayerReqSchema, SBlockPlayerResSchema),
    changePassword: type(PacketId.C_CHANGE_PASSWORD_REQ, CChangePasswordReqSchema, SChangePasswordResSchema),
    listDevices: type(PacketId.C_LIST_DEVICES_REQ, CListDevicesReqSchema, SListDevicesResSchema),
    endDevice: type(PacketId.C_END_DEVICE_REQ, CEndDeviceReqSchema, SEndDeviceResSchema),
} as const;
