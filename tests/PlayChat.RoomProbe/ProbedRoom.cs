using System.Globalization;
using PlayChat.Protocol;

namespace PlayChat.RoomProbe;

/// <summary>A room of ordinary players. One of them says something every 100 ms, and every other one notes when it hears it.</summary>
internal sealed class ProbedRoom
{
    private static readonly TimeSpan s_pace = TimeSpan.FromMilliseconds(100);

    // A guard against hanging: a message that takes longer is lost.
    private static readonly TimeSpan s_lost = TimeSpan.FromMinutes(1);

    private readonly Players _players;
    private readonly string? _password;
    private readonly Speaker _speaker;
    private readonly List<ChatClient> _clients = [];
    private readonly List<Listener> _listeners = [];

    private ProbedRoom(Players players, string? password, ChatClient first, long roomId)
    {
        _players = players;
        _password = password;
        _speaker = new Speaker(first, roomId);
        _clients.Add(first);
        RoomId = roomId;
    }

    /// <summary>The room.</summary>
    public long RoomId { get; }

    /// <summary>Connects the players, and lets them join. The program's end disconnects them.</summary>
    /// <param name="players">Connects them.</param>
    /// <param name="members">How many.</param>
    /// <param name="password">Of the player that logs in during the measurements; null for none.</param>
    public static async Task<ProbedRoom> OpenAsync(Players players, int members, string? password)
    {
        ChatClient first = await players.LoginAsync(Name(0));
        var room = new ProbedRoom(players, password, first, (await first.CreateRoomAsync($"beside {Environment.ProcessId}")).RoomId);
        for (int i = 1; i < members; i++)
        {
            ChatClient client = await players.LoginAsync(Name(i));
            room._clients.Add(client);
            room._listeners.Add(new Listener(room._speaker, client));
            await client.JoinRoomAsync(room.RoomId);
        }

        return room;
    }

    /// <summary>Talks until <paramref name="ended"/> has completed, and waits until every listener has heard everything.</summary>
    /// <param name="leastMessages">How many messages to say at least.</param>
    /// <param name="ended">Ends the measurement.</param>
    public async Task<RoomReport> MeasureAsync(int leastMessages, Task ended)
    {
        _listeners.ForEach(static listener => listener.TakeDelays());
        var probe = new LoginProbe(_players, _password);
        using var stop = new CancellationTokenSource();
        Task probing = probe.RunAsync(stop.Token);
        int first = _speaker.Said;
        using (var pace = new PeriodicTimer(s_pace))
        {
            while (_speaker.Said < first + leastMessages || !ended.IsCompleted)
            {
                _speaker.Say();
                await pace.WaitForNextTickAsync(CancellationToken.None);
            }
        }

        await stop.CancelAsync();
        await probing;
        await Task.WhenAny(
            Task.WhenAll(_listeners.Select(listener => listener.HeardAsync(_speaker.Said))), Task.Delay(s_lost, CancellationToken.None));
        TimeSpan[] sorted = [.. _listeners.SelectMany(static listener => listener.TakeDelays()).Order()];
        return new RoomReport(
            sorted.Length,
            _listeners.Sum(listener => _speaker.Said - listener.Heard) + (int)_clients.Sum(static client => client.MissedMessages),
            _clients.Count(static client => !client.IsConnected),
            At(sorted, 0.5),
            At(sorted, 0.99),
            At(sorted, 1),
            probe.Begun,
            probe.Succeeded,
            probe.Slowest.TotalMilliseconds,
            probe.Failure);
    }

    private static string Name(int number) => string.Create(CultureInfo.InvariantCulture, $"beside {number}");

    private static double At(TimeSpan[] sorted, double share) =>
        sorted.Length == 0 ? double.NaN : sorted[(int)(share * (sorted.Length - 1))].TotalMilliseconds;
}
