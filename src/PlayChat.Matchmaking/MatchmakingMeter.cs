using System.Diagnostics.Metrics;
using System.Text.Json;

namespace PlayChat.Matchmaking;

/// <summary>The instruments of all queues of the process. Each has the tag <c>queue</c>: the name of the queue's room.</summary>
/// <remarks>docs/reference/metrics.md lists them.</remarks>
public static class MatchmakingMeter
{
    /// <summary>The meter's name: <c>PlayChat.Matchmaking</c>.</summary>
    public const string Name = "PlayChat.Matchmaking";

    private static readonly Meter s_meter = new(Name);

    private static readonly UpDownCounter<long> s_players =
        s_meter.CreateUpDownCounter<long>("playchat.matchmaking.players", "{player}", "Players in the queue.");

    private static readonly Histogram<double> s_waits =
        s_meter.CreateHistogram<double>("playchat.matchmaking.wait", "s", "Time that matched players have waited.");

    private static readonly UpDownCounter<double> s_longestWait =
        s_meter.CreateUpDownCounter<double>("playchat.matchmaking.longest_wait", "s", "Time that the oldest ticket has waited.");

    private static readonly Counter<long> s_matches =
        s_meter.CreateCounter<long>("playchat.matchmaking.matches", "{match}", "Matches that have begun.");

    private static readonly Counter<long> s_ended =
        s_meter.CreateCounter<long>("playchat.matchmaking.ended", "{player}", "Players that left the queue without a match.");

    internal static void Changed(string queue, int players) => s_players.Add(players, new KeyValuePair<string, object?>("queue", queue));

    internal static void LongestWaitChanged(string queue, TimeSpan by) =>
        s_longestWait.Add(by.TotalSeconds, new KeyValuePair<string, object?>("queue", queue));

    internal static void Matched(string queue) => s_matches.Add(1, new KeyValuePair<string, object?>("queue", queue));

    internal static void Waited(string queue, TimeSpan time) =>
        s_waits.Record(time.TotalSeconds, new KeyValuePair<string, object?>("queue", queue));

    internal static void Ended(string queue, MatchState state) => s_ended.Add(
        1,
        new KeyValuePair<string, object?>("queue", queue),
        new KeyValuePair<string, object?>("reason", JsonNamingPolicy.SnakeCaseLower.ConvertName(state.ToString())));
}
