using Microsoft.Extensions.Logging;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Testing;
using PlayChat.TestUtilities;

namespace PlayChat.Persistence.Tests;

/// <summary>One run of a server whose rooms survive it. Disposed without <see cref="StopAsync"/>, it ends as in a crash.</summary>
internal sealed class Game : IAsyncDisposable
{
    internal static readonly TimeSpan Window = TimeSpan.FromMinutes(1);

    private readonly RoomHarness<Room> _harness;
    private readonly IRoomStore _store;

    private Game(RoomHarness<Room> harness, IRoomStore store) => (_harness, _store) = (harness, store);

    internal RoomRegistry Rooms => _harness.Server.Rooms;

    internal SessionRegistry Sessions => _harness.Server.Sessions;

    public async ValueTask DisposeAsync()
    {
        await _harness.DisposeAsync();
        (_store as IDisposable)?.Dispose();
    }

    internal static async Task<Game> StartAsync(
        IRoomStore rooms,
        IResumeStore tokens,
        Action<RoomPersistenceOptions>? options = null,
        Action<PlayChatServer>? server = null,
        ILoggerFactory? log = null)
    {
        RoomHarness<Room> harness = await RoomHarness.StartServerAsync(GamePackets.All, made =>
        {
            made.Options.Sessions.ResumeWindow = Window;
            made.UseResumeStore(tokens).UseRoomStore(rooms, options).OnPackets(Map);
            server?.Invoke(made);
            if (log is not null)
            {
                made.UseLogging(log);
            }
        });
        await harness.IdleAsync(); // until the rooms that continue have had their first turn
        return new Game(harness, rooms);
    }

    internal static RoomSettings Persistent(string name) => new() { Name = name, IsPersistent = true };

    internal SumRoom Room(string name) => Rooms.Get<SumRoom>(name);

    internal Task<HarnessClient> ConnectAsync() => _harness.ConnectAsync();

    /// <summary>A client whose user is a member of a room, and its token.</summary>
    internal async Task<(HarnessClient Client, ReadOnlyMemory<byte> Token)> EnterAsync(long user, string room, string color = "red")
    {
        HarnessClient client = await _harness.ConnectAsync();
        Entered entered = await client.RequestAsync<Entered>(new Enter(user, room, color));
        return (client, entered.Token);
    }

    /// <summary>A client that shows a token. It is empty in the answer if the server refuses it.</summary>
    internal async Task<(HarnessClient Client, ReadOnlyMemory<byte> Token)> ComeBackAsync(ReadOnlyMemory<byte> token)
    {
        HarnessClient client = await _harness.ConnectAsync();
        Entered entered = await client.RequestAsync<Entered>(new ComeBack(token));
        await IdleAsync();
        return (client, entered.Token);
    }

    internal async Task AddAsync(HarnessClient client, int amount)
    {
        client.SendPacket(new Add(amount));
        await IdleAsync();
    }

    internal Task IdleAsync() => _harness.IdleAsync();

    internal Task AdvanceAsync(TimeSpan by) => _harness.AdvanceAsync(by);

    /// <summary>Whether a room was saved for the last time.</summary>
    internal bool IsHandedOver(string name) => ((PersistentRole)Room(name).Role!).IsHandedOver;

    internal Task StopAsync() => _harness.Server.StopAsync().WaitAsync(TestTimeouts.Hang);

    private static void Map(PacketRouter router)
    {
        router.MapPacketHandlers();
        router.MapPacket<Enter>(static async (context, enter, stop) =>
        {
            Session session = context.Session;
            await context.Sessions.TakeOverAsync(session, new SessionUser(enter.UserId, $"user {enter.UserId}"), stop);
            await context.Rooms.Get<SumRoom>(enter.Room).JoinAsync(session, new Join(enter.Color), cancellationToken: stop);
            context.Reply(new Entered(await context.Sessions.IssueResumeTokenAsync(session)));
        });
        router.MapPacket<ComeBack>(static async (context, back, _) =>
        {
            Resumption? resumption = await context.Sessions.ResumeAsync(context.Connection, back.Token, moved =>
            {
                context.Reply(new Entered(moved.Token));
                return default;
            });
            if (resumption is null)
            {
                context.Reply(new Entered(default));
            }
        });
    }
}
