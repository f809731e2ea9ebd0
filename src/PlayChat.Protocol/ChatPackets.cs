using Google.Protobuf;
using Google.Protobuf.Reflection;
using PlayChat.Core.Packets;
using PlayChat.Protobuf;

namespace PlayChat.Protocol;

/// <summary>The packets of the chat protocol, one value each: id, name and codec. proto/PROTOCOL.md, "Packets".</summary>
public static class ChatPackets
{
    // Above the packets: static fields are set in the order in which they stand.
    private static readonly EnumDescriptor s_ids = PacketsReflection.Descriptor.FindTypeByName<EnumDescriptor>(nameof(PacketId));

    /// <summary>All chat packets, for a server or a connector. S_ERROR_NTF is the failure answer of every request.</summary>
    public static PacketSet All { get; } = new();

    /// <summary>C_ECHO_REQ: give me this back. Transient: a server's handler must not keep the message.</summary>
    public static PacketType<CEchoReq> CEchoReq { get; } = Create(PacketId.CEchoReq, Protocol.CEchoReq.Parser, reuse: true);

    /// <summary>C_HEARTBEAT_NTF: the client is alive.</summary>
    public static PacketType<CHeartbeatNtf> CHeartbeatNtf { get; } = Create(PacketId.CHeartbeatNtf, Protocol.CHeartbeatNtf.Parser);

    /// <summary>C_LOGIN_REQ: the name and password of the player.</summary>
    public static PacketType<CLoginReq> CLoginReq { get; } = Create(PacketId.CLoginReq, Protocol.CLoginReq.Parser);

    /// <summary>C_RESUME_REQ: resume the session of a connection that broke.</summary>
    public static PacketType<CResumeReq> CResumeReq { get; } = Create(PacketId.CResumeReq, Protocol.CResumeReq.Parser);

    /// <summary>C_LOGOUT_NTF: the client logs out and will not resume.</summary>
    public static PacketType<CLogoutNtf> CLogoutNtf { get; } = Create(PacketId.CLogoutNtf, Protocol.CLogoutNtf.Parser);

    /// <summary>C_CREATE_ROOM_REQ: make a room and let me in.</summary>
    public static PacketType<CCreateRoomReq> CCreateRoomReq { get; } = Create(PacketId.CCreateRoomReq, Protocol.CCreateRoomReq.Parser);

    /// <summary>C_JOIN_ROOM_REQ: let me in.</summary>
    public static PacketType<CJoinRoomReq> CJoinRoomReq { get; } = Create(PacketId.CJoinRoomReq, Protocol.CJoinRoomReq.Parser);

    /// <summary>C_ROOM_CHAT_REQ: say this in the room.</summary>
    public static PacketType<CRoomChatReq> CRoomChatReq { get; } = Create(PacketId.CRoomChatReq, Protocol.CRoomChatReq.Parser);

    /// <summary>C_LEAVE_ROOM_REQ: I go.</summary>
    public static PacketType<CLeaveRoomReq> CLeaveRoomReq { get; } = Create(PacketId.CLeaveRoomReq, Protocol.CLeaveRoomReq.Parser);

    /// <summary>C_LIST_ROOMS_REQ: which rooms are there.</summary>
    public static PacketType<CListRoomsReq> CListRoomsReq { get; } = Create(PacketId.CListRoomsReq, Protocol.CListRoomsReq.Parser);

    /// <summary>C_ROOM_HISTORY_REQ: asks for a page of a room's history.</summary>
    public static PacketType<CRoomHistoryReq> CRoomHistoryReq { get; } = Create(PacketId.CRoomHistoryReq, Protocol.CRoomHistoryReq.Parser);

    /// <summary>C_DIRECT_CHAT_REQ: say this to one player.</summary>
    public static PacketType<CDirectChatReq> CDirectChatReq { get; } = Create(PacketId.CDirectChatReq, Protocol.CDirectChatReq.Parser);

    /// <summary>S_ECHO_RES: the payload of the request.</summary>
    public static PacketType<SEchoRes> SEchoRes { get; } = Create(PacketId.SEchoRes, Protocol.SEchoRes.Parser);

    /// <summary>S_HEARTBEAT_NTF: is the client there.</summary>
    public static PacketType<SHeartbeatNtf> SHeartbeatNtf { get; } = Create(PacketId.SHeartbeatNtf, Protocol.SHeartbeatNtf.Parser);

    /// <summary>S_ERROR_NTF: the request failed.</summary>
    public static PacketType<SErrorNtf> SErrorNtf { get; } = Create(PacketId.SErrorNtf, Protocol.SErrorNtf.Parser);

    /// <summary>S_CLOSE_NTF: why the server closes now.</summary>
    public static PacketType<SCloseNtf> SCloseNtf { get; } = Create(PacketId.SCloseNtf, Protocol.SCloseNtf.Parser);

    /// <summary>S_NOTICE_NTF: an operator of the server says something.</summary>
    public static PacketType<SNoticeNtf> SNoticeNtf { get; } = Create(PacketId.SNoticeNtf, Protocol.SNoticeNtf.Parser);

    /// <summary>S_LOGIN_RES: logged in.</summary>
    public static PacketType<SLoginRes> SLoginRes { get; } = Create(PacketId.SLoginRes, Protocol.SLoginRes.Parser);

    /// <summary>S_RESUME_RES: the player is back.</summary>
    public static PacketType<SResumeRes> SResumeRes { get; } = Create(PacketId.SResumeRes, Protocol.SResumeRes.Parser);

    /// <summary>S_CREATE_ROOM_RES: the room is there, and the client in it.</summary>
    public static PacketType<SCreateRoomRes> SCreateRoomRes { get; } = Create(PacketId.SCreateRoomRes, Protocol.SCreateRoomRes.Parser);

    /// <summary>S_JOIN_ROOM_RES: the client is in the room.</summary>
    public static PacketType<SJoinRoomRes> SJoinRoomRes { get; } = Create(PacketId.SJoinRoomRes, Protocol.SJoinRoomRes.Parser);

    /// <summary>S_ROOM_CHAT_RES: the text has its place in the room.</summary>
    public static PacketType<SRoomChatRes> SRoomChatRes { get; } = Create(PacketId.SRoomChatRes, Protocol.SRoomChatRes.Parser);

    /// <summary>S_LEAVE_ROOM_ACK: the client is out of the room.</summary>
    public static PacketType<SLeaveRoomAck> SLeaveRoomAck { get; } = Create(PacketId.SLeaveRoomAck, Protocol.SLeaveRoomAck.Parser);

    /// <summary>S_LIST_ROOMS_RES: one page of rooms.</summary>
    public static PacketType<SListRoomsRes> SListRoomsRes { get; } = Create(PacketId.SListRoomsRes, Protocol.SListRoomsRes.Parser);

    /// <summary>S_ROOM_HISTORY_RES: one page of what was said.</summary>
    public static PacketType<SRoomHistoryRes> SRoomHistoryRes { get; } = Create(PacketId.SRoomHistoryRes, Protocol.SRoomHistoryRes.Parser);

    /// <summary>S_DIRECT_CHAT_RES: the text is on its way to the player.</summary>
    public static PacketType<SDirectChatRes> SDirectChatRes { get; } = Create(PacketId.SDirectChatRes, Protocol.SDirectChatRes.Parser);

    /// <summary>S_JOIN_ROOM_NTF: a player has joined.</summary>
    public static PacketType<SJoinRoomNtf> SJoinRoomNtf { get; } = Create(PacketId.SJoinRoomNtf, Protocol.SJoinRoomNtf.Parser);

    /// <summary>S_ROOM_CHAT_NTF: a player or the server says something.</summary>
    public static PacketType<SRoomChatNtf> SRoomChatNtf { get; } = Create(PacketId.SRoomChatNtf, Protocol.SRoomChatNtf.Parser);

    /// <summary>S_ROOM_STATE_NTF: the present state of a room, when the server no longer has what the client missed.</summary>
    public static PacketType<SRoomStateNtf> SRoomStateNtf { get; } = Create(PacketId.SRoomStateNtf, Protocol.SRoomStateNtf.Parser);

    /// <summary>S_DIRECT_CHAT_NTF: a player says something to this player alone.</summary>
    public static PacketType<SDirectChatNtf> SDirectChatNtf { get; } = Create(PacketId.SDirectChatNtf, Protocol.SDirectChatNtf.Parser);

    /// <summary>C_EDIT_MESSAGE_REQ: another text for a message, or none.</summary>
    public static PacketType<CEditMessageReq> CEditMessageReq { get; } = Create(PacketId.CEditMessageReq, Protocol.CEditMessageReq.Parser);

    /// <summary>C_MODERATE_REQ: what a moderator does to a player.</summary>
    public static PacketType<CModerateReq> CModerateReq { get; } = Create(PacketId.CModerateReq, Protocol.CModerateReq.Parser);

    /// <summary>C_LIST_MEMBERS_REQ: asks for the members of the room.</summary>
    public static PacketType<CListMembersReq> CListMembersReq { get; } = Create(PacketId.CListMembersReq, Protocol.CListMembersReq.Parser);

    /// <summary>C_READ_MARK_NTF: what the player has read.</summary>
    public static PacketType<CReadMarkNtf> CReadMarkNtf { get; } = Create(PacketId.CReadMarkNtf, Protocol.CReadMarkNtf.Parser);

    /// <summary>C_TYPING_NTF: the player is writing.</summary>
    public static PacketType<CTypingNtf> CTypingNtf { get; } = Create(PacketId.CTypingNtf, Protocol.CTypingNtf.Parser);

    /// <summary>S_EDIT_MESSAGE_RES: the message was changed.</summary>
    public static PacketType<SEditMessageRes> SEditMessageRes { get; } = Create(PacketId.SEditMessageRes, Protocol.SEditMessageRes.Parser);

    /// <summary>S_MODERATE_RES: it was done.</summary>
    public static PacketType<SModerateRes> SModerateRes { get; } = Create(PacketId.SModerateRes, Protocol.SModerateRes.Parser);

    /// <summary>S_LIST_MEMBERS_RES: one page of members.</summary>
    public static PacketType<SListMembersRes> SListMembersRes { get; } = Create(PacketId.SListMembersRes, Protocol.SListMembersRes.Parser);

    /// <summary>S_MESSAGE_EDITED_NTF: a message has another text now.</summary>
    public static PacketType<SMessageEditedNtf> SMessageEditedNtf { get; } =
        Create(PacketId.SMessageEditedNtf, Protocol.SMessageEditedNtf.Parser);

    /// <summary>S_ROOM_LEFT_NTF: the player was taken out of the room.</summary>
    public static PacketType<SRoomLeftNtf> SRoomLeftNtf { get; } = Create(PacketId.SRoomLeftNtf, Protocol.SRoomLeftNtf.Parser);

    /// <summary>S_INVITED_NTF: the player is a member of a room now.</summary>
    public static PacketType<SInvitedNtf> SInvitedNtf { get; } = Create(PacketId.SInvitedNtf, Protocol.SInvitedNtf.Parser);

    /// <summary>S_DIRECT_SENT_NTF: the player has sent a direct message on another device.</summary>
    public static PacketType<SDirectSentNtf> SDirectSentNtf { get; } = Create(PacketId.SDirectSentNtf, Protocol.SDirectSentNtf.Parser);

    /// <summary>S_TYPING_NTF: a player is writing.</summary>
    public static PacketType<STypingNtf> STypingNtf { get; } = Create(PacketId.STypingNtf, Protocol.STypingNtf.Parser);

    /// <summary>C_SEARCH_REQ: searches what was said.</summary>
    public static PacketType<CSearchReq> CSearchReq { get; } = Create(PacketId.CSearchReq, Protocol.CSearchReq.Parser);

    /// <summary>S_SEARCH_RES: one page of what was found.</summary>
    public static PacketType<SSearchRes> SSearchRes { get; } = Create(PacketId.SSearchRes, Protocol.SSearchRes.Parser);

    /// <summary>C_REACT_REQ: reacts to a message.</summary>
    public static PacketType<CReactReq> CReactReq { get; } = Create(PacketId.CReactReq, Protocol.CReactReq.Parser);

    /// <summary>S_REACT_RES: the message has the reaction.</summary>
    public static PacketType<SReactRes> SReactRes { get; } = Create(PacketId.SReactRes, Protocol.SReactRes.Parser);

    /// <summary>S_REACTION_NTF: a player has reacted to a message.</summary>
    public static PacketType<SReactionNtf> SReactionNtf { get; } = Create(PacketId.SReactionNtf, Protocol.SReactionNtf.Parser);

    /// <summary>C_LIST_CONVERSATIONS_REQ: asks for the player's conversations.</summary>
    public static PacketType<CListConversationsReq> CListConversationsReq { get; } =
        Create(PacketId.CListConversationsReq, Protocol.CListConversationsReq.Parser);

    /// <summary>C_DIRECT_HISTORY_REQ: asks for a page of a conversation.</summary>
    public static PacketType<CDirectHistoryReq> CDirectHistoryReq { get; } =
        Create(PacketId.CDirectHistoryReq, Protocol.CDirectHistoryReq.Parser);

    /// <summary>C_DIRECT_READ_NTF: what the player has read of a conversation.</summary>
    public static PacketType<CDirectReadNtf> CDirectReadNtf { get; } = Create(PacketId.CDirectReadNtf, Protocol.CDirectReadNtf.Parser);

    /// <summary>C_BLOCK_PLAYER_REQ: blocks a player, or ends a block.</summary>
    public static PacketType<CBlockPlayerReq> CBlockPlayerReq { get; } = Create(PacketId.CBlockPlayerReq, Protocol.CBlockPlayerReq.Parser);

    /// <summary>S_LIST_CONVERSATIONS_RES: a page of the player's conversations.</summary>
    public static PacketType<SListConversationsRes> SListConversationsRes { get; } =
        Create(PacketId.SListConversationsRes, Protocol.SListConversationsRes.Parser);

    /// <summary>S_DIRECT_HISTORY_RES: one page of a conversation.</summary>
    public static PacketType<SDirectHistoryRes> SDirectHistoryRes { get; } =
        Create(PacketId.SDirectHistoryRes, Protocol.SDirectHistoryRes.Parser);

    /// <summary>S_BLOCK_PLAYER_RES: the players that are blocked.</summary>
    public static PacketType<SBlockPlayerRes> SBlockPlayerRes { get; } = Create(PacketId.SBlockPlayerRes, Protocol.SBlockPlayerRes.Parser);

    /// <summary>S_ROOM_ENTERED_NTF: the player is in a room on another device.</summary>
    public static PacketType<SRoomEnteredNtf> SRoomEnteredNtf { get; } =
        Create(PacketId.SRoomEnteredNtf, Protocol.SRoomEnteredNtf.Parser);

    /// <summary>C_CHANGE_PASSWORD_REQ: changes the password of the player.</summary>
    public static PacketType<CChangePasswordReq> CChangePasswordReq { get; } =
        Create(PacketId.CChangePasswordReq, Protocol.CChangePasswordReq.Parser);

    /// <summary>S_CHANGE_PASSWORD_RES: the password was changed.</summary>
    public static PacketType<SChangePasswordRes> SChangePasswordRes { get; } =
        Create(PacketId.SChangePasswordRes, Protocol.SChangePasswordRes.Parser);

    /// <summary>C_LIST_DEVICES_REQ: asks for the player's devices.</summary>
    public static PacketType<CListDevicesReq> CListDevicesReq { get; } = Create(PacketId.CListDevicesReq, Protocol.CListDevicesReq.Parser);

    /// <summary>S_LIST_DEVICES_RES: the player's devices.</summary>
    public static PacketType<SListDevicesRes> SListDevicesRes { get; } = Create(PacketId.SListDevicesRes, Protocol.SListDevicesRes.Parser);

    /// <summary>C_END_DEVICE_REQ: logs out another device of the player.</summary>
    public static PacketType<CEndDeviceReq> CEndDeviceReq { get; } = Create(PacketId.CEndDeviceReq, Protocol.CEndDeviceReq.Parser);

    /// <summary>S_END_DEVICE_RES: the device is logged out.</summary>
    public static PacketType<SEndDeviceRes> SEndDeviceRes { get; } = Create(PacketId.SEndDeviceRes, Protocol.SEndDeviceRes.Parser);

    /// <summary>C_REPORT_REQ: reports a message to the moderators of its room.</summary>
    public static PacketType<CReportReq> CReportReq { get; } = Create(PacketId.CReportReq, Protocol.CReportReq.Parser);

    /// <summary>S_REPORT_RES: the server has the report.</summary>
    public static PacketType<SReportRes> SReportRes { get; } = Create(PacketId.SReportRes, Protocol.SReportRes.Parser);

    /// <summary>C_LIST_REPORTS_REQ: asks for the open reports of a room.</summary>
    public static PacketType<CListReportsReq> CListReportsReq { get; } = Create(PacketId.CListReportsReq, Protocol.CListReportsReq.Parser);

    /// <summary>S_LIST_REPORTS_RES: one page of reports.</summary>
    public static PacketType<SListReportsRes> SListReportsRes { get; } = Create(PacketId.SListReportsRes, Protocol.SListReportsRes.Parser);

    /// <summary>C_RESOLVE_REPORT_REQ: closes a report.</summary>
    public static PacketType<CResolveReportReq> CResolveReportReq { get; } =
        Create(PacketId.CResolveReportReq, Protocol.CResolveReportReq.Parser);

    /// <summary>S_RESOLVE_REPORT_RES: the report is closed.</summary>
    public static PacketType<SResolveReportRes> SResolveReportRes { get; } =
        Create(PacketId.SResolveReportRes, Protocol.SResolveReportRes.Parser);

    /// <summary>S_REPORT_NTF: a player has reported a message.</summary>
    public static PacketType<SReportNtf> SReportNtf { get; } = Create(PacketId.SReportNtf, Protocol.SReportNtf.Parser);

    private static PacketType<TMessage> Create<TMessage>(PacketId id, MessageParser<TMessage> parser, bool reuse = false)
        where TMessage : class, IMessage<TMessage>, IBufferMessage, new() =>
        All.AddProtobuf((ushort)id, parser, s_ids.FindValueByNumber((int)id).Name, reuse, isFailure: id == PacketId.SErrorNtf)
            .Get<TMessage>((ushort)id);
}
