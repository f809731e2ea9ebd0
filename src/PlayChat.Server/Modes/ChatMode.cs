using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Cluster;
using PlayChat.Server.Configuration;
using PlayChat.Server.Handlers;
using PlayChat.Server.Replies;
using PlayChat.Server.Rooms;

namespace PlayChat.Server.Modes;

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

    // A router cannot drop its limit again, so this one stands for none: no connection sends so many packets in a millisecond.
    private const int NoPacketLimit = 1_000_000;

    private static readonly SHeartbeatNtf s_heartbeat = new();

    public static void Configure(PlayChatServer server, ServerSettings settings, CopiedLimits copies, OtherNodes others)
    {
        server.Options.Rooms.MaxMembers = settings.Rooms.MaxMembers;
        server.Options.Rooms.MaxRoomsPerSession = settings.Rooms.MaxPerPlayer;
        server.Options.Sessions.ResumeWindow = settings.Sessions.ResumeWindow;
        copies.Add(() =>
        {
            server.Options.Connections.BytesPerSecond = settings.Sessions.BytesPerSecond;
            server.Options.Connections.FramesPerSecond = settings.Sessions.FramesPerSecond;
        });
        var pause = new ReturnPause(settings.Sessions, () => server.Sessions.Count);
        server.UseFraming(FrameFormat.Packet(settings.MaxFrameBytes, ChatLimits.MaxServerFrameBytes))
            .OnHeartbeat(static session => session.Connection.SendPacket(s_heartbeat, type: ChatPackets.SHeartbeatNtf))
            .OnClosing((connection, reason) => CloseNotices.TellClosing(connection, reason, pause, others.Next))
            .UsePackets(ChatPackets.All)
            .OnPackets(router =>
            {
                Map(router, settings.Telemetry.Otlp, settings.Rooms.MaxPerPlayer);
                LimitPackets(router, settings.Sessions, copies);
            });
    }

    private static void LimitPackets(PacketRouter router, SessionSettings limits, CopiedLimits copies)
    {
        int applied = 0;
        router.OnRateLimited = context => context.FailForNow(TimeSpan.FromSeconds(1.0 / Math.Max(1, limits.PacketsPerSecond)));
        copies.Add(() =>
        {
            if (limits.PacketsPerSecond == applied)
            {
                return; // a limit that is set again fills every bucket, and stands before every packet, which has a cost
            }

            applied = limits.PacketsPerSecond;
            if (applied > 0)
            {
                router.RateLimit(applied);
            }
            else
            {
                router.RateLimit(NoPacketLimit, perSeconds: 0.001);
            }
        });
    }

    private static void Map(PacketRouter router, OtlpSettings telemetry, int roomsPerPlayer)
    {
        router.TraceOneIn = telemetry.TraceOneIn;
        router.ContinueTraces = telemetry.ContinueTraces;
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
            .MaxBodyBytes(MaxResumeBytes + (roomsPerPlayer * MaxRoomPlaceBytes));
        router.MapPacket<CLogoutNtf, LogoutHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CHeartbeatNtf, HeartbeatHandler>().AllowBeforeLogin().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CEchoReq, EchoHandler>(); // as large as a frame may be
        router.MapPacket<CCreateRoomReq, CreateRoomHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CJoinRoomReq, JoinRoomHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CListRoomsReq, ListRoomsHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CRoomHistoryReq, RoomHistoryHandler>().MaxBodyBytes(MaxRequestBytes);
        router.MapPacket<CDirectChatReq, DirectChatHandler>().MaxBodyBytes(2 * ChatLimits.MaxTextBytes);
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
