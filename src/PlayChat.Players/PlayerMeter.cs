using System.Diagnostics.Metrics;

namespace PlayChat.Players;

/// <summary>The meter <c>PlayChat.Players</c>, which counts for all stores and writers of the process.</summary>
public static class PlayerMeter
{
    /// <summary>The meter's name: <c>PlayChat.Players</c>.</summary>
    public const string MeterName = "PlayChat.Players";

    private static readonly Meter s_meter = new(MeterName);

    private static readonly Histogram<double> s_transactions = s_meter.CreateHistogram<double>(
        "playchat.players.transaction.duration", "s", "Time that a transaction took, waiting and repeated tries included.");

    private static readonly UpDownCounter<long> s_pending = s_meter.CreateUpDownCounter<long>(
        "playchat.players.writer.pending", "By", "Bytes that wait in writers.");

    private static readonly Counter<long> s_refused = s_meter.CreateCounter<long>(
        "playchat.players.writer.refused", "{document}", "Saves that found the writer full or stopped.");

    // The outcome is done, repeated, conflict or failed.
    internal static void RecordTransaction(string outcome, TimeSpan duration) =>
        s_transactions.Record(duration.TotalSeconds, new KeyValuePair<string, object?>("outcome", outcome));

    internal static void RecordPending(long bytes) => s_pending.Add(bytes);

    internal static void RecordRefused() => s_refused.Add(1);
}
