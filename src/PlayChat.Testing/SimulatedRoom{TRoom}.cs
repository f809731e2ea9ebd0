using System.Globalization;
using Microsoft.Extensions.Logging;
using PlayChat.Core;
using PlayChat.Recording;

namespace PlayChat.Testing;

/// <summary>One world of a <see cref="RoomSimulation{TRoom}"/>.</summary>
/// <remarks>
/// Invariant: one thing happens at a time. Each step, and each timer between two steps, ends in <see cref="RoomHarness{TRoom}.IdleAsync"/>;
/// packets that are under way are timers. So the order in which the thread pool runs its work decides nothing. Each step draws from a seed
/// of its own, so that the others stay what they are when a step is left out.
/// </remarks>
internal sealed class SimulatedRoom<TRoom>(RoomSimulation<TRoom> simulation, int seed) : ILoggerFactory, ILogger
    where TRoom : Room
{
    private static readonly TimeSpan s_resumeWindow = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan s_settle = TimeSpan.FromSeconds(5);

    private readonly List<string> _history = [];
    private readonly List<List<(long At, ushort Packet)>> _received = []; // of each connection, in the order in which they were made
    private readonly List<Task> _ending = []; // of sessions whose players have logged out
    private readonly Player[] _players = [.. Enumerable.Range(1, simulation.Players).Select(static number => new Player(number))];
    private RoomHarness<TRoom> _harness = null!; // set by RunAsync
    private Exception? _fault;

    internal Exception? Fault => _fault;

    internal IReadOnlyList<string> History => _history;

    internal long Hash => _received.SelectMany(static frames => frames)
        .Aggregate(17L, static (hash, frame) => unchecked((((hash * 31) + frame.At) * 31) + frame.Packet));

    /// <summary>The recording of the room, if it is recorded.</summary>
    internal RoomRecording? Recording { get; private set; }

    /// <summary>The first warning of the server.</summary>
    internal string? Warning { get; private set; }

    internal async Task RunAsync(IReadOnlyList<int> steps, RoomRecordings? recordings = null)
    {
        _harness = new RoomHarness<TRoom>(simulation.Make, simulation.Packets, simulation.Configure, null, simulation.Settings);
        SessionOptions options = _harness.Server.UseLogging(this).UseSeed(RandomOf(-2).Next()).Options.Sessions;
        options.ResumeWindow = options.ResumeWindow > TimeSpan.Zero ? options.ResumeWindow : s_resumeWindow;
        if (recordings is not null)
        {
            _harness.Server.UseRecording(recordings);
        }

        await RoomHarness.BeginAsync(_harness).ConfigureAwait(false);
        Recording = recordings?.Running.FirstOrDefault();
        try
        {
            double pace = simulation.Pace.Ticks * (0.1 + (1.9 * RandomOf(-1).NextDouble()));
            for (int i = 0; i < steps.Count && _fault is null; i++)
            {
                Random random = RandomOf(steps[i]);
                await _harness.AdvanceAsync(TimeSpan.FromTicks((long)(2 * pace * random.NextDouble()))).ConfigureAwait(false);
                await StepAsync(_players[random.Next(_players.Length)], random).ConfigureAwait(false);
                await CheckAsync().ConfigureAwait(false);
            }

            if (_fault is null)
            {
                await EndAsync().ConfigureAwait(false);
            }
        }
        catch (Exception e) // of the functions that the simulation was given, or of the harness
        {
            NoteFault(e);
        }

        try
        {
            await _harness.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is InvalidOperationException or TimeoutException) // a buffer leaked, or the server does not end
        {
            NoteFault(e);
        }
    }

    /// <summary>Says what differs in another world of the same seed; <see langword="null"/> if nothing does.</summary>
    internal string? FindDifference(SimulatedRoom<TRoom> other)
    {
        int line = _history.Zip(other._history).TakeWhile(static pair => pair.First == pair.Second).Count();
        if (line < Math.Max(_history.Count, other._history.Count))
        {
            return $"'{_history.ElementAtOrDefault(line)}' or '{other._history.ElementAtOrDefault(line)}'";
        }

        int connection = _received.Zip(other._received).TakeWhile(static pair => pair.First.SequenceEqual(pair.Second)).Count();
        return connection == _received.Count ? null : $"connection {connection + 1} has received other packets, or at other times";
    }

    /// <summary>Random numbers of a part of the world. The seeds are mixed, because neighbors give similar numbers.</summary>
    private Random RandomOf(int part)
    {
        uint bits = unchecked(((uint)seed * 0x9E3779B9) + (uint)part);
        bits = (bits ^ (bits >> 16)) * 0x85EBCA6B;
        bits = (bits ^ (bits >> 13)) * 0xC2B2AE35;
        return new Random((int)(bits ^ (bits >> 16)));
    }

    private async Task StepAsync(Player player, Random random)
    {
        if (player.Client is not { } client)
        {
            await ConnectAsync(player, random).ConfigureAwait(false);
            return;
        }

        switch (random.Next(100))
        {
            case < 80:
                client.Sending = message => Note(player, $"sends {message}");
                simulation.Act(client, random);
                break;
            case < 88:
                Note(player, "loses the connection");
                player.Frames = client.Frames.Count;
                client.Break();
                player.Client = null;
                break;
            case < 92:
                Note(player, "logs out");
                await LogOutAsync(player, client).ConfigureAwait(false);
                break;
            case < 95:
                Note(player, "logs in a second time");
                player.Token = default;
                await ConnectAsync(player, random).ConfigureAwait(false);
                break;
            case < 98 when simulation.Leave is { } leave:
                Note(player, "leaves");
                await leave(_harness.Room, player.Session!).ConfigureAwait(false);
                break;
            default:
                await JoinAsync(player, random).ConfigureAwait(false);
                break;
        }
    }

    /// <summary>Connects a player. It resumes its session if that may still be there; otherwise it logs in and joins.</summary>
    private async Task ConnectAsync(Player player, Random random)
    {
        List<(long, ushort)> received = [];
        _received.Add(received);
        HarnessClient client = player.Client = await _harness.ConnectAsync(new LinkConditions
        {
            Latency = TimeSpan.FromTicks(1 + random.Next((int)TimeSpan.TicksPerSecond / 10)),
            Seed = random.Next(),
            MaxReceiveBytes = random.Next(4) == 0 ? 1 + random.Next(20) : int.MaxValue,
        }).ConfigureAwait(false);
        client.OnReceived = frame => received.Add((_harness.Time.GetTimestamp(), frame.Header.PacketId));
        player.Session = client.Session;
        SessionRegistry sessions = _harness.Server.Sessions;
        if (!player.Token.IsEmpty)
        {
            long? claimed = random.Next(2) == 0 ? player.Frames : null;
            if (await sessions.ResumeAsync(client.Session.Connection, player.Token, welcome: null, claimed).ConfigureAwait(false)
                is { } resumption)
            {
                Note(player, "resumes");
                (player.Session, player.Token) = (resumption.Session, resumption.Token);
                return;
            }
        }

        Session? former = sessions.Bind(
            client.Session, new SessionUser(player.Number, string.Create(CultureInfo.InvariantCulture, $"player {player.Number}")));
        former?.Connection.Close(CloseReason.TakenOver);
        player.Token = await sessions.IssueResumeTokenAsync(client.Session).ConfigureAwait(false);
        await JoinAsync(player, random).ConfigureAwait(false);
    }

    private async Task JoinAsync(Player player, Random random)
    {
        bool isIn = await simulation.Join(_harness.Room, player.Session!, random).WaitAsync(RoomHarness.Patience).ConfigureAwait(false);
        Note(player, isIn ? "joins" : "is refused");
    }

    private async Task LogOutAsync(Player player, HarnessClient client)
    {
        // It may wait for an older session of the player whose connection closes as the clock goes on, so the world does not wait for it.
        _ending.Add(_harness.Server.Sessions.EndAsync(player.Session!).AsTask());
        client.Break();
        (player.Client, player.Token) = (null, default);
        await _harness.IdleAsync().ConfigureAwait(false);
    }

    /// <summary>All players go, and nothing of them is left.</summary>
    private async Task EndAsync()
    {
        await _harness.AdvanceAsync(s_settle).ConfigureAwait(false);
        await CheckAsync().ConfigureAwait(false);
        foreach (Player player in _players)
        {
            if (player.Client is { } client)
            {
                await LogOutAsync(player, client).ConfigureAwait(false);
            }
        }

        TimeSpan left = _harness.Server.Options.Sessions.ResumeWindow + s_settle;
        for (; left > TimeSpan.Zero && _harness.Room.MemberCount > 0; left -= s_settle)
        {
            await _harness.AdvanceAsync(s_settle).ConfigureAwait(false);
        }

        if (_harness.Room.MemberCount > 0)
        {
            NoteFault(new InvalidOperationException($"The room still has {_harness.Room.MemberCount} members, but no players are left."));
        }

        await Task.WhenAll(_ending).WaitAsync(RoomHarness.Patience).ConfigureAwait(false);
    }

    private async Task CheckAsync()
    {
        await _harness.IdleAsync().ConfigureAwait(false);
        await _harness.Room.PostAsync(room =>
        {
            try
            {
                simulation.Check(room);
            }
            catch (Exception e) // the simulation's result
            {
                NoteFault(e);
            }
        }).ConfigureAwait(false);
        await _harness.IdleAsync().ConfigureAwait(false);
    }

    private void Note(Player player, string what)
    {
        double seconds = TimeSpan.FromTicks(_harness.Time.GetTimestamp()).TotalSeconds;
        _history.Add(string.Create(CultureInfo.InvariantCulture, $"{seconds,8:F3} s  player {player.Number} {what}"));
    }

    private void NoteFault(Exception fault) => Interlocked.CompareExchange(ref _fault, fault, null);

    void ILogger.Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (logLevel >= LogLevel.Error)
        {
            NoteFault(exception ?? new InvalidOperationException(formatter(state, exception)));
        }
        else
        {
            Warning ??= formatter(state, exception);
        }
    }

    bool ILogger.IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    IDisposable? ILogger.BeginScope<TState>(TState state) => null;

    ILogger ILoggerFactory.CreateLogger(string categoryName) => this;

    void ILoggerFactory.AddProvider(ILoggerProvider provider)
    {
    }

    public void Dispose()
    {
    }

    private sealed class Player(int number)
    {
        internal int Number => number;

        internal HarnessClient? Client { get; set; } // null while it is away, or gone

        internal Session? Session { get; set; }

        internal ReadOnlyMemory<byte> Token { get; set; } // empty after it has gone

        internal int Frames { get; set; } // received on the connection that was lost
    }
}
