using System.Text.Json.Nodes;
using PlayChat.Benchmark.Figures;

namespace PlayChat.Benchmark.Capacity;

/// <summary>One step of a search: a rate, and what came of it.</summary>
/// <param name="Rate">Messages a second of each client.</param>
/// <param name="DeliveriesPerSecond">That came within the measuring.</param>
/// <param name="P99Microseconds">From planned sending to each receiver.</param>
/// <param name="LagMicroseconds">The p99 of planned to real sending.</param>
/// <param name="Lost">Deliveries that never came.</param>
/// <param name="Limit">
/// What did not hold, as the report has it: <c>p99</c>, <c>lost</c>, <c>faults</c> or <c>load_behind</c>; <see langword="null"/>: it did.
/// </param>
/// <param name="WhyNot">The same as a sentence.</param>
internal sealed record CapacityStep(
    double Rate, double DeliveriesPerSecond, double P99Microseconds, double LagMicroseconds, long Lost, string? Limit, string? WhyNot)
{
    public bool Held => Limit is null;

    /// <summary>Reads a step from the figures of a fan-out load.</summary>
    /// <param name="rate">The requested rate.</param>
    /// <param name="report">The figures.</param>
    /// <param name="limit">The longest p99 with which a step holds.</param>
    public static CapacityStep Of(double rate, JsonObject report, TimeSpan limit)
    {
        double p99 = (double)report["latency_us"]!["p99"]!;
        double lag = (double)report["send_lag_us"]!["p99"]!;
        long lost = (long)report["lost"]!;
        long wrong = (long)report["duplicated"]! + (long)report["reordered"]! + (long)report["corrupted"]! + (long)report["errors"]!;
        (string? what, string? whyNot) =
            lost > 0 ? ("lost", FormattableString.Invariant($"{lost} lost"))
            : wrong > 0 ? ("faults", FormattableString.Invariant($"{wrong} faults"))
            : (bool)report["drain_timeout"]! ? ("lost", "not all had come when the drain ended")
            : report["invalid_because"]?.GetValue<string>() is { } invalid ? ("load_behind", invalid)
            : p99 > limit.TotalMicroseconds
            ? ("p99", FormattableString.Invariant($"p99 {p99 / 1000:0.#} ms is over {limit.TotalMilliseconds:0.###} ms"))
            : ((string?)null, (string?)null);
        return new CapacityStep(rate, (double)report["deliveries_per_s"]!, p99, lag, lost, what, whyNot);
    }

    /// <param name="clients">How many sent at that rate.</param>
    public JsonObject ToJson(int clients) => new()
    {
        ["rps"] = JsonFigures.Round(Rate),
        ["offered_messages_per_s"] = JsonFigures.Round(Rate * clients),
        ["deliveries_per_s"] = JsonFigures.Round(DeliveriesPerSecond),
        ["p99_us"] = JsonFigures.Round(P99Microseconds),
        ["send_lag_p99_us"] = JsonFigures.Round(LagMicroseconds),
        ["lost"] = Lost,
        ["held"] = Held,
        ["limit"] = Limit,
        ["why_not"] = WhyNot,
    };
}
