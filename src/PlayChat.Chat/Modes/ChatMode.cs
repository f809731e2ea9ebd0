using Microsoft.Extensions.Primitives;
using PlayChat.Chat.Cluster;
using PlayChat.Chat.Extensions;
using PlayChat.Chat.Handlers;
using PlayChat.Chat.Rooms;
using PlayChat.Core;
using PlayChat.Core.Framing;

namespace PlayChat.Chat.Modes;

/// <summary>The chat protocol of proto/PROTOCOL.md.</summary>
internal static class ChatMode
{
    // A login has at most 32 + 64 characters and 256 bytes of password; a created room 64 characters. More is left for fields of later
    // versions, and for values that are too long, so that they get the error that names them.
    private const int MaxLoginBytes = 4096;
    private const int MaxRequestBytes = 1024;

    // Beside the room places of a resume: a token of 32 bytes and the client's version.
    private const int MaxResumeBytes = 1024;
    private const int MaxRoomPlaceBytes = 64;

    private static readonly SHeartbeatNtf s_heartbeat = new();

    public static void Configure(
        PlayChatServer server, ServerSettings settings, LiveConfiguration live, OtherNodes others, ChatBuilder builder, RuleFilter? rules)
    {
        var pause = new ReturnPause(settings.Sessions, () => server.Sessions.Count);
        server.UseFraming(FrameFormat.Packet(settings.MaxFrameBytes, ChatLimits.MaxServerFrameBytes))
            .OnHeartbeat(static session => session.Connection.SendPacket(s_heartbeat, type: ChatPackets.SHeartbeatNtf))
            .OnClosing((connection, reason) => CloseNotices.TellClosing(connection, reason, pause, others.Next))
            .UsePackets(builder.Packets ?? ChatPackets.All)
            .OnPackets(router =>
            {
                Map(router, settings);
                LimitPackets(router, settings.Sessions, live);
                if (rules is not null)
                {
                    router.AddFilter(rules);
                }

                builder.Router?.Invoke(router);
            });
        builder.Server?.Invoke(server);
    }

    private static void LimitPackets(PacketRouter router, SessionSettings limits, LiveConfiguration live)
    {
        router.OnRateLimited = context => context.FailForNow(TimeSpan.FromSeconds(1.0 / Math.Max(1, limits.PacketsPerSecond)));
        router.RateLimit(limits.PacketsPerSecond);
        ChangeToken.OnChange(live.GetReloadToken, () => router.RateLimit(limits.PacketsPerSecond));
    }

    private static void Map(PacketRouter router, ServerSettings settings)
    {
        router.TraceOneIn = settings.Telemetry.Otlp.TraceOneIn;
        router.ContinueTraces = settings.Telemetry.Otlp.ContinueTraces;
        router.RequireLogin = true;
        router.OnLoginRequired = RefuseBeforeLogin;
        router.OnUnknown = static context =>
            context.Fail(ErrorCode.UnknownPacket, $"This server does not know packet {context.PacketId}. Go on without it.");
        router.OnMalformed = static context =>
            context.Fail(
                ErrorCode.MalformedPacket,
                $"The payload is not the message that packet {context.PacketId} carries, or is too large for it. Correct the client.");
        router.OnFault = static (context, _) => context.Fail(ErrorCode.Internal, Answers.Internal);
        router.OnNoRoom = static (context, roomId) => RefuseOutside(context, roomId);

        // What is too large is refused before it is parsed: parsing 60 KB of fields that no version knows takes milliseconds.
        router.MapPacket<CLoginReq, LoginHandler>().AllowBeforeLogin().MaxBodyBytes(MaxLoginBytes);
        router.MapPacket<CResumeReq, ResumeHandler>().AllowBeforeLogin()
            .MaxBodyBytes(Math.Min(
                settings.MaxFrameBytes, MaxResumeBytes + (settings.PlayChat.Rooms.MaxRoomsPerSession * MaxRoomPlaceBytes)));
        router.MapPacket<CLogoutNtf, LogoutHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CHeartbeatNtf, HeartbeatHandler>().AllowBeforeLogin().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CEchoReq, EchoHandler>(); // as large as a frame may be
        router.MapPacket<CCreateRoomReq, CreateRoomHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CJoinRoomReq, JoinRoomHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CListRoomsReq, ListRoomsHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CRoomHistoryReq, RoomHistoryHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CEditMessageReq, EditMessageHandler>().MaxBodyBytes(2 * ChatLimits.MaxTextBytes);
        router.MapPacket<CModerateReq, ModerateHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CListMembersReq, ListMembersHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CReactReq, ReactHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CReportReq, ReportHandler>().MaxBodyBytes(2 * MaxRequestBytes);
        router.MapPacket<CListReportsReq, ListReportsHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CResolveReportReq, ListReportsHandler>().MaxBodyBytes(2 * MaxRequestBytes);
        router.MapPacket<CSearchReq, SearchHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CDirectChatReq, DirectChatHandler>().MaxBodyBytes(2 * ChatLimits.MaxTextBytes);
        router.MapPacket<CChangePasswordReq, ChangePasswordHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CListDevicesReq, ListDevicesHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CEndDeviceReq, EndDeviceHandler>().MaxBodyBytes(MaxRequestBytes);
        if (settings.Direct.Stored)
        {
            router.MapPacket<CListConversationsReq, ListConversationsHandler>().MaxBodyBytes(MaxRequestBytes);
            router.MapPacket<CDirectHistoryReq, DirectHistoryHandler>().MaxBodyBytes(MaxRequestBytes);
            router.MapPacket<CDirectReadNtf, DirectReadHandler>().MaxBodyBytes(MaxRequestBytes);
            router.MapPacket<CBlockPlayerReq, BlockPlayerHandler>().MaxBodyBytes(MaxRequestBytes);
        }

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
        context.Fail(ErrorCode.LoginRequired, "This needs a login. Log in first.");
        RefusedRequests.Count(context.Session);
    }
}
