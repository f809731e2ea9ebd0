using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Matchmaking.Tests;

/// <summary>A server with a queue, and players that enter it.</summary>
internal static class Game
{
    internal static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    /// <summary>Longer than a pass; every timer of a second has then run.</summary>
    internal static readonly TimeSpan Pass = Second * 1.5;

    /// <summary>How long a session may be away.</summary>
    internal static readonly TimeSpan Window = TimeSpan.FromSeconds(20);

    internal static Task<RoomHarness<GameQueue>> StartAsync(
        MatchRules<Find> rules, string name = "queue", Action<PlayChatServer>? persist = null) => RoomHarness.StartAsync(
        context => new GameQueue(context, rules),
        GamePackets.All,
        server =>
        {
            server.Options.Sessions.ResumeWindow = Window;
            server.OnPackets(static router => router.MapPacketHandlers());
            persist?.Invoke(server);
        },
        settings: new RoomSettings { Name = name, IsPersistent = persist is not null });

    /// <summary>Connects a client and lets it enter the queue.</summary>
    internal static async Task<HarnessClient> EnterAsync(this RoomHarness<GameQueue> harness, Find ticket)
    {
        HarnessClient client = await harness.ConnectAsync();
        Assert.Equal(JoinStatus.Joined, (await harness.Room.JoinAsync(client.Session, ticket)).Status);
        await harness.IdleAsync();
        return client;
    }

    internal static Task<HarnessClient> EnterAsync(this RoomHarness<GameQueue> harness, string name, double rating = 0) =>
        harness.EnterAsync(new Find(name, rating));

    /// <summary>Moves the clock, and lets what is due then run to its end.</summary>
    internal static async Task PassAsync(this RoomHarness<GameQueue> harness, double seconds = 1.5)
    {
        await harness.AdvanceAsync(TimeSpan.FromSeconds(seconds));
        await harness.IdleAsync();
    }

    internal static async Task AnswerAsync(this RoomHarness<GameQueue> harness, HarnessClient client, bool accepts)
    {
        client.SendPacket(new Answered(accepts));
        await harness.IdleAsync();
    }

    /// <summary>The players of each match, by team.</summary>
    internal static string[] Matches(this RoomHarness<GameQueue> harness) =>
        [.. harness.Room.Matches.Select(static match => string.Join(" - ", match.Teams.Select(static team => string.Join('+', team))))];

    /// <summary>The states that a client was told, in order.</summary>
    internal static MatchState[] States(this HarnessClient client) =>
        [.. client.Received<Told>().Select(static told => told.State)];

    /// <summary>Connects a client that resumes a session.</summary>
    internal static async Task<HarnessClient> ResumeAsync(this RoomHarness<GameQueue> harness, ReadOnlyMemory<byte> token)
    {
        HarnessClient client = await harness.ConnectAsync();
        Resumption? resumption = await harness.Server.Sessions.ResumeAsync(client.Session.Connection, token);
        Assert.NotNull(resumption);
        await harness.IdleAsync();
        return client;
    }
}
