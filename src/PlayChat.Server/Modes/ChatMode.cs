using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Configuration;
using PlayChat.Server.Handlers;
using PlayChat.Server.Replies;
using PlayChat.Server.Rooms;

namespace PlayChat.Server.Modes;

/// <summary>The chat protocol of proto/PROTOCOL.md.</summary>
internal static class ChatMode
{
    private static readonly SHeartbeatNtf s_heartbeat = new();

    public static void Configure(PlayChatServer server, ServerSettings settings)
    {
        server.Options.Rooms.MaxMembers = settings.Rooms.MaxMembers;
        server.Options.Rooms.MaxRoomsPerSession = settings.Rooms.MaxPerPlayer;
        server.Options.Sessions.ResumeWindow = settings.Sessions.ResumeWindow;
        server.Options.Connections.BytesPerSecond = settings.Sessions.BytesPerSecond;
        server.Options.Connections.FramesPerSecond = settings.Sessions.FramesPerSecond;
        server.UseFraming(FrameFormat.Packet(settings.MaxFrameBytes, ChatLimits.MaxServerFrameBytes))
            .OnHeartbeat(static session => session.Connection.SendPacket(s_heartbeat, type: ChatPackets.SHeartbeatNtf))
            .OnClosing((connection, reason) => CloseNotices.TellClosing(connection, reason, settings.Sessions.ReturnWithin))
            .UsePackets(ChatPackets.All)
            .OnPackets(router => Map(router, settings.Sessions));
    }

    private static void Map(PacketRouter router, SessionSettings limits)
    {
        router.RequireLogin = true;
        router.OnLoginRequired = RefuseBeforeLogin;
        router.OnUnknown = static context =>
            context.Fail(ErrorCode.UnknownPacket, $"This server does not know packet {context.PacketId}. Go on without it.");
        router.OnMalformed = static context =>
            context.Fail(
                ErrorCode.MalformedPacket, $"The payload is not the message that packet {context.PacketId} carries. Correct the client.");
        router.OnFault = static (context, _) => context.Fail(ErrorCode.Internal, Answers.Internal);
        router.OnNoRoom = static (context, roomId) => RefuseOutside(context, roomId);
        router.OnRateLimited = context => context.FailForNow(TimeSpan.FromSeconds(1.0 / limits.PacketsPerSecond));
        if (limits.PacketsPerSecond > 0)
        {
            router.RateLimit(limits.PacketsPerSecond); // set, it stands before every packet; without it none pays
        }

        router.MapPacket<CLoginReq, LoginHandler>().AllowBeforeLogin();
        router.MapPacket<CResumeReq, ResumeHandler>().AllowBeforeLogin();
        router.MapPacket<CLogoutNtf, LogoutHandler>();
        router.MapPacket<CHeartbeatNtf, HeartbeatHandler>().AllowBeforeLogin();
        router.MapPacket<CEchoReq, EchoHandler>();
        router.MapPacket<CCreateRoomReq, CreateRoomHandler>();
        router.MapPacket<CJoinRoomReq, JoinRoomHandler>();
        router.MapPacket<CListRoomsReq, ListRoomsHandler>();
        router.MapPacket<CRoomHistoryReq, RoomHistoryHandler>();
        router.MapPacketHandlers(); // the [Packet] methods of ChatRoom
    }

    private static void RefuseOutside(PacketContext context, long roomId)
    {
        if (context.Rooms.Find(roomId) is ChatRoom { IsRemoved: false })
        {
            context.Fail(ErrorCode.NotInRoom, Answers.NotInRoom(roomId));
        }
        else
        {
            context.FailNoSuchRoom(roomId);
        }
    }

    private static void RefuseBeforeLogin(PacketContext context)
    {
        context.Fail(ErrorCode.LoginRequired, "This needs a login. Send C_LOGIN_REQ first.");
        RefusedRequests.Count(context.Session);
    }
}
