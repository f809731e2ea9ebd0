using PlayChat.Core.Diagnostics;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Sessions;

/// <summary>A server with a room whose sessions may resume, and players that do.</summary>
internal sealed class ResumeHarness : IAsyncDisposable
{
    internal static readonly TimeSpan Window = TimeSpan.FromSeconds(30);

    private ResumeHarness(RoomHarness<AwayRoom> harness)
    {
        Inner = harness;
    }

    internal RoomHarness<AwayRoom> Inner { get; }

    internal AwayRoom Room => Inner.Room;

    internal PlayChatServer Server => Inner.Server;

    internal SessionRegistry Sessions => Inner.Server.Sessions;

    /// <summary>The ends of sessions, in order, as the server told them.</summary>
    internal List<(Session Session, CloseReason Reason)> Ends { get; } = [];

    internal static async Task<ResumeHarness> StartAsync(Action<PlayChatServer>? configure = null)
    {
        ResumeHarness? made = null;
        List<(Session, CloseReason)> early = [];
        RoomHarness<AwayRoom> harness = await HarnessSteps.StartAsync(
            static context => new AwayRoom(context),
            server =>
            {
                server.Options.Sessions.ResumeWindow = Window;
                server.OnSessionEnded((session, reason) =>
                {
                    List<(Session, CloseReason)> ends = made?.Ends ?? early;
                    lock (ends)
                    {
                        ends.Add((session, reason));
                    }
                });
                configure?.Invoke(server);
            });
        made = new ResumeHarness(harness);
        return made;
    }

    /// <summary>A client whose session is bound, may resume and is a member of the room.</summary>
    internal async Task<(HarnessClient Client, byte[] Token)> JoinAsync(string name = "ann", bool closeIsLeave = false)
    {
        HarnessClient client = await Inner.ConnectAsync();
        Sessions.Bind(client.Session, new SessionUser(name.GetHashCode(StringComparison.Ordinal), name));
        byte[] token = (await Sessions.IssueResumeTokenAsync(client.Session, closeIsLeave)).ToArray();
        Assert.True((await Room.JoinAsync(client.Session)).IsJoined);
        await Inner.IdleAsync();
        return (client, token);
    }

    /// <summary>Breaks a client's link, and waits until the room has learned of it.</summary>
    internal Task BreakAsync(HarnessClient client)
    {
        client.Break();
        return Inner.IdleAsync();
    }

    /// <summary>Resumes on a new connection, and waits until the room has learned of it.</summary>
    internal async Task<(HarnessClient Client, Resumption? Resumption)> ResumeAsync(
        ReadOnlyMemory<byte> token, Func<Resumption, ValueTask>? welcome = null, long? framesReceived = null)
    {
        HarnessClient client = await Inner.ConnectAsync();
        Resumption? resumption = await Sessions.ResumeAsync(client.Session.Connection, token, welcome, framesReceived);
        await Inner.IdleAsync();
        return (client, resumption);
    }

    internal Task InTurnAsync(Action<AwayRoom> job) => Inner.InTurnAsync(job);

    internal long Read(Counter counter) => Server.Metrics.Read(counter);

    public async ValueTask DisposeAsync()
    {
        await Inner.DisposeAsync();
        // On a busy machine the harness moves its clock past the server's patience, so the last end may come after the server's.
        await Eventually.TrueAsync(() => Sessions is { AwayCount: 0, Count: 0 });
        Assert.Equal(Read(Counter.SessionsAway), Read(Counter.SessionsNotAway));
        Assert.Equal(Read(Counter.SessionsOpened), Read(Counter.SessionsClosed));
    }
}
