using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests.Harness;

/// <summary>A room of ordinary players beside an attack. One of them says something every 100 ms, and every other one notes when it hears
/// it.</summary>
internal sealed class RoomBeside : IAsyncDisposable
{
    private const string Mark = "beside ";

    // In each measurement, however short the attack.
    private const int LeastMessages = 6;

    private static readonly TimeSpan s_pace = TimeSpan.FromMilliseconds(100);

    private readonly ConcurrentDictionary<int, long> _saidAt = new();
    private readonly ConcurrentBag<TimeSpan> _delays = [];
    private readonly List<ChatClient> _clients = [];
    private readonly List<Listener> _listeners = [];
    private int _said;

    private RoomBeside()
    {
    }

    /// <summary>The room.</summary>
    public long RoomId { get; private set; }

    /// <summary>How many players are in it.</summary>
    public int Members => _clients.Count;

    /// <summary>Connects the players, and lets them join.</summary>
    /// <param name="server">The server that is attacked.</param>
    /// <param name="members">How many players.</param>
    /// <param name="certificate">What the server shows, where it speaks TLS.</param>
    public static async Task<RoomBeside> StartAsync(ServerProcess server, int members = 10, TestCertificate? certificate = null)
    {
        var room = new RoomBeside();
        try
        {
            for (int i = 0; i < members; i++)
            {
                string name = string.Create(CultureInfo.InvariantCulture, $"beside {i}");
                ChatClient client = await Ordinary.LoginAsync(server, name, certificate);
                room._clients.Add(client);
                if (i == 0)
                {
                    room.RoomId = (await client.CreateRoomAsync("beside")).RoomId;
                    continue;
                }

                room._listeners.Add(new Listener(room, client));
                await client.JoinRoomAsync(room.RoomId);
            }

            return room;
        }
        catch
        {
            await room.DisposeAsync();
            throw;
        }
    }

    /// <summary>Measures the room in peace, and then beside a machine that is busy with something else.</summary>
    /// <param name="threads">How many threads are busy: as many as the attack has.</param>
    /// <param name="duration">How long each measurement takes, unless ATTACK_BASELINE_SECONDS says so.</param>
    public async Task<Delays> MeasureBusyAsync(int threads, TimeSpan duration)
    {
        if (Environment.GetEnvironmentVariable("ATTACK_BASELINE_SECONDS") is { } seconds)
        {
            duration = TimeSpan.FromSeconds(double.Parse(seconds, CultureInfo.InvariantCulture));
        }

        Delays peace = await MeasureAsync(Task.CompletedTask, (int)(duration / s_pace));
        Delays busy = await MeasureAsync(BusyMachine.RunAsync(threads, duration));
        busy.Peace = peace;
        return busy;
    }

    /// <summary>Talks until <paramref name="meanwhile"/> has completed, and waits until every player has heard everything in
    /// order.</summary>
    /// <exception cref="TimeoutException">A message was lost.</exception>
    public async Task<Delays> MeasureAsync(Task meanwhile, int leastMessages = LeastMessages)
    {
        _delays.Clear();
        using var pace = new PeriodicTimer(s_pace);
        int first = _said;
        while (_said < first + Math.Max(leastMessages, LeastMessages) || !meanwhile.IsCompleted)
        {
            int number = ++_said;
            _saidAt[number] = Stopwatch.GetTimestamp();
            string text = Mark + number.ToString(CultureInfo.InvariantCulture);
            Assert.True(_clients[0].SendChat(RoomId, text), "The speaker is not connected.");
            await pace.WaitForNextTickAsync();
        }

        await meanwhile;
        foreach (Listener listener in _listeners)
        {
            await listener.HeardAsync(_said);
        }

        Assert.All(_clients, static client => Assert.True(client.IsConnected));
        Assert.All(_clients, static client => Assert.Equal(0, client.MissedMessages));
        return new Delays(_delays);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (ChatClient client in _clients)
        {
            await client.DisposeAsync();
        }
    }

    private sealed class Listener
    {
        private readonly RoomBeside _room;
        private readonly object _gate = new();
        private int _heard;
        private (int Number, TaskCompletionSource Reached)? _waiting;

        public Listener(RoomBeside room, ChatClient client)
        {
            _room = room;
            client.ChatReceived += (_, chat) => Hear(chat.Message.Text);
        }

        public async Task HeardAsync(int number)
        {
            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (_gate)
            {
                if (_heard >= number)
                {
                    return;
                }

                _waiting = (number, reached);
            }

            await reached.Task.WaitAsync(TestTimeouts.Hang);
        }

        // What attackers say in the room has no mark. A message out of order is not counted, so that the measurement fails.
        private void Hear(string text)
        {
            if (!text.StartsWith(Mark, StringComparison.Ordinal)
                || !int.TryParse(text.AsSpan(Mark.Length), CultureInfo.InvariantCulture, out int number)
                || !_room._saidAt.TryGetValue(number, out long saidAt))
            {
                return;
            }

            _room._delays.Add(Stopwatch.GetElapsedTime(saidAt));
            lock (_gate)
            {
                if (number == _heard + 1)
                {
                    _heard = number;
                }

                if (_waiting is { } waiting && _heard >= waiting.Number)
                {
                    waiting.Reached.TrySetResult();
                }
            }
        }
    }
}
