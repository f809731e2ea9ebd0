using Google.Protobuf;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Chat;

/// <summary>How players in tests lose their connection, and come back.</summary>
internal static class Resuming
{
    /// <summary>Breaks the connection, and waits until the server knows that the player is away.</summary>
    public static async Task BreakAsync(TestServer server, TestClient client)
    {
        long before = CountAway(server);
        client.Connection.Abort();
        await Eventually.TrueAsync(() => CountAway(server) > before);
    }

    /// <summary>The number of players that are away.</summary>
    public static long CountAway(TestServer server) => server.Server.Sessions.AwayCount;

    public static Task<SResumeRes> ResumeAsync(TestClient client, ByteString token, params (long RoomId, long LastSequence)[] rooms) =>
        client.AskAsync<CResumeReq, SResumeRes>(ChatPackets.CResumeReq, Request(token, rooms));

    public static Task<SErrorNtf> FailAsync(TestClient client, ByteString token, params (long RoomId, long LastSequence)[] rooms) =>
        client.FailAsync(ChatPackets.CResumeReq, Request(token, rooms));

    public static CResumeReq Request(ByteString token, params (long RoomId, long LastSequence)[] rooms)
    {
        var request = new CResumeReq { Token = token, ClientVersion = "test/1" };
        request.Rooms.AddRange(rooms.Select(room => new RoomPlace { RoomId = room.RoomId, LastSequence = room.LastSequence }));
        return request;
    }
}
