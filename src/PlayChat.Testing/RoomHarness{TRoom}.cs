using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Net;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Hosting;

namespace PlayChat.Testing;

/// <summary>A room in a real server with any number of clients: without sockets, under a clock that moves only by <see
/// cref="AdvanceAsync"/>.</summary>
/// <remarks>
/// <para>For a test: start it (<see cref="RoomHarness.StartAsync{TRoom}(Func{RoomContext, TRoom}, PacketSet, Action{PlayChatServer},
/// FrameFormat, RoomSettings)"/>), connect clients, let them join (<c>await harness.Room.JoinAsync(client.Session)</c>) and send, and
/// after <see cref="IdleAsync"/> look at what each has received. Its disposal ends the server and fails when a buffer leaked.</para>
/// <para>One thread at a time.</para>
/// </remarks>
/// <typeparam name="TRoom">The room.</typeparam>
public sealed class RoomHarness<TRoom> : IAsyncDisposable
    where TRoom : Room
{
    private static readonly TimeSpan s_realTime = TimeSpan.FromSeconds(2); // of the disposal

    private readonly ConcurrentDictionary<EndPoint, TaskCompletionSource<Session>> _sessions = new();
    private readonly PlayChatConnector _connector;
    private readonly PacketSet _packets;
    private readonly List<HarnessClient> _clients = []; // those that are not over
    private TRoom? _room;

    [UnconditionalSuppressMessage("Trimming", "IL2091", Justification = "The function creates the room, not reflection.")]
    internal RoomHarness(
        Func<RoomContext, TRoom> make, PacketSet? packets, Action<PlayChatServer>? configure, FrameFormat? format, RoomSettings? settings)
    {
        if (configure is null && packets is not null)
        {
            throw new ArgumentException(
                "Nothing handles the packets: without configure every frame goes to the room's OnFrame, and no [Packet] method runs. "
                    + "Pass configure: server => server.OnPackets(router => router.MapPacketHandlers()), or what sets your server up; for "
                    + "a room that only sends, server => server.OnPackets(_ => { }).",
                nameof(configure));
        }

        _packets = packets ?? new PacketSet();
        format ??= FrameFormat.Packet();
        settings ??= new RoomSettings { Name = "room" };
        Time = new ManualTimeProvider();
        Transport = new InMemoryTransport(Time);
        Server = new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"))
            .UseTransport(Transport)
            .UseTime(Time)
            .UsePool(Pool)
            .UseFraming(format)
            .UsePackets(_packets)
            .OnStarting(server => _room = server.Rooms.Create(settings, make))
            .OnConnected(session => SessionOf(session.Connection.RemoteEndPoint!).TrySetResult(session));
        if (configure is null)
        {
            Server.OnFrameAsync((connection, frame, _) => PostedAsync(Room.PostFrameAsync(Session.Of(connection), in frame)));
        }

        configure?.Invoke(Server);
        _connector = new PlayChatConnector(format, static (connection, frame) =>
            connection.Get<HarnessClient>()!.OnFrame(in frame), transport: Transport, time: Time, packets: _packets);
    }

    /// <summary>The server; stopping and disposing it is the harness's business.</summary>
    public PlayChatServer Server { get; }

    /// <summary>The room. A server may have more: make them by <see cref="PlayChatServer.Rooms"/>.</summary>
    public TRoom Room => _room!;

    /// <summary>The clock of server, room and links. Move it by <see cref="AdvanceAsync"/>, so that what its timers begin is done before it
    /// moves on.</summary>
    public ManualTimeProvider Time { get; }

    /// <summary>The in-memory transport between clients and server.</summary>
    public InMemoryTransport Transport { get; }

    /// <summary>The pool of the server's buffers.</summary>
    public CountingPool Pool { get; } = new();

    /// <summary>Connects a client. It is no member of the room yet.</summary>
    /// <param name="conditions">How good its link is. Default perfect.</param>
    /// <returns>The client, once the server has its session.</returns>
    /// <exception cref="InvalidOperationException">The server refused it, for a limit of its options.</exception>
    public async Task<HarnessClient> ConnectAsync(LinkConditions? conditions = null)
    {
        var client = new HarnessClient(Transport, _packets);
        Transport.Conditions = conditions ?? LinkConditions.Perfect;
        Connection connection = await _connector.ConnectAsync(Server.EndPoints[0], made => made.Set(client)).ConfigureAwait(false);
        Task<Session> session = SessionOf(connection.LocalEndPoint!).Task;
        await Task.WhenAny(session, connection.Closed).WaitAsync(RoomHarness.Patience).ConfigureAwait(false);
        if (!session.IsCompleted)
        {
            throw new InvalidOperationException(
                $"The server has not taken the client in; its connection ended as {connection.CloseReason}.");
        }

        client.SetEnds(connection, await session.ConfigureAwait(false));
        _clients.Add(client);
        return client;
    }

    /// <summary>
    /// Completes when nothing is left to do before the clock moves: what has arrived anywhere is handled, the rooms have run and flushed
    /// what was queued, that has arrived as well, and the clients' requests that are answered have completed.
    /// </summary>
    /// <remarks>
    /// What handlers leave to other threads (<c>Offload</c>, tasks of their own) is not seen, nor timers of a room that are due at once
    /// beyond the first <c>Rooms:MaxItemsPerTurn</c>. <c>Rooms:FlushInterval</c> must be 0, its default. A room also waits for the clock
    /// while many of its members have more than 1/16 of <c>Connections:MaxOutboundBytes</c> waiting: raise that in a test that floods a
    /// room.
    /// </remarks>
    /// <exception cref="TimeoutException">Something does not end within 30 seconds of real time: a handler waits, perhaps for the clock, or
    /// a client does not read.</exception>
    public async Task IdleAsync()
    {
        using var patience = new CancellationTokenSource(RoomHarness.Patience);
        long activity;
        try
        {
            do
            {
                activity = Transport.Activity;
                await Transport.IdleAsync(patience.Token).ConfigureAwait(false);
                for (int i = _clients.Count - 1; i >= 0; i--)
                {
                    await _clients[i].AnswersTakenAsync().WaitAsync(patience.Token).ConfigureAwait(false);

                    // An end is let go before its server and its rooms hear of it.
                    if (await _clients[i].IsOverAsync().WaitAsync(patience.Token).ConfigureAwait(false))
                    {
                        _clients.RemoveAt(i);
                    }
                }

                await Server.Rooms.DrainAsync(patience.Token).ConfigureAwait(false);
            }
            while (!Transport.IsIdle || Transport.Activity != activity);
        }
        catch (OperationCanceledException e)
        {
            throw new TimeoutException($"The server is not idle after {RoomHarness.Patience.TotalSeconds} seconds: a handler waits, "
                + $"perhaps for the clock, or a room does because it was flooded.", e);
        }
    }

    /// <summary>Moves the clock, timer by timer, and lets everything that a timer begins come to its end before the next one is
    /// due.</summary>
    /// <param name="by">0 or more.</param>
    /// <remarks>So a client's message, the server's answer to it, and what the client sends because of that each take exactly the latency
    /// of their link.</remarks>
    /// <exception cref="TimeoutException">See <see cref="IdleAsync"/>.</exception>
    public async Task AdvanceAsync(TimeSpan by)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(by, TimeSpan.Zero);
        await IdleAsync().ConfigureAwait(false);
        long end = Time.GetTimestamp() + by.Ticks;
        while (Time.FireNext(end))
        {
            await IdleAsync().ConfigureAwait(false);
        }

        Time.Advance(TimeSpan.FromTicks(end - Time.GetTimestamp()));
    }

    /// <summary>Cuts all links, ends the server, and checks that every buffer was returned.</summary>
    /// <remarks>The clock moves meanwhile: handlers that wait for it come to their end.</remarks>
    /// <exception cref="InvalidOperationException">A buffer leaked.</exception>
    /// <exception cref="TimeoutException">The server has not ended within 30 seconds of real time: a handler waits for something
    /// else.</exception>
    public async ValueTask DisposeAsync()
    {
        long start = TimeProvider.System.GetTimestamp();
        Task ending = EndAsync();
        while (!ending.IsCompleted)
        {
            TimeSpan elapsed = TimeProvider.System.GetElapsedTime(start);
            if (elapsed > RoomHarness.Patience)
            {
                throw new TimeoutException(
                    $"The server has not ended after {RoomHarness.Patience.TotalSeconds} seconds: a handler waits, and not for the clock.");
            }

            // Resumes code that waits for the clock: a handler, or a room that holds its turn because many members are behind. At first
            // not faster than real time: the server's patience with its rooms is on this clock, and their turns need a processor to end.
            await Task.WhenAny(ending, Task.Delay(TimeSpan.FromMilliseconds(1))).ConfigureAwait(false);
            Time.Advance(TimeSpan.FromMilliseconds(elapsed < s_realTime ? 1 : 100));
        }

        await ending.ConfigureAwait(false);
    }

    private async Task EndAsync()
    {
        Transport.BreakAll();
        await _connector.DisposeAsync().ConfigureAwait(false);
        await Server.DisposeAsync().ConfigureAwait(false);
        await Pool.VerifyAsync().ConfigureAwait(false);
    }

    private static async ValueTask PostedAsync(ValueTask<bool> posting) => await posting.ConfigureAwait(false);

    private TaskCompletionSource<Session> SessionOf(EndPoint client) =>
        _sessions.GetOrAdd(client, static _ => new TaskCompletionSource<Session>(TaskCreationOptions.RunContinuationsAsynchronously));
}
