using System.Text;
using PlayChat.Kpi;

namespace PlayChat.AttackTests.Fuzzing;

/// <summary>A line of a server's figures, as a tool reads it from a file.</summary>
internal sealed class KpiTarget() : FuzzTarget("figures")
{
    public override IReadOnlyList<byte[]> Samples { get; } =
    [
        """{"timestamp":"2026-01-01T00:00:00Z","uptime_s":1.5,"total":{"receives":7},"process":{"cpu_ms":12,"gc0":1}}"""u8.ToArray(),
        """
        {"timestamp":"2026-01-01T00:00:01Z","uptime_s":2,"total":{},"now":{"rooms":1},"peak":{"queue":3},"process":{"gc_pause_ms":0.5},
        "closes":{"peer_closed":2},"extras":{"away":1},"extra_columns":[{"name":"away","unit":"","is_total":false,"is_detail":false}]}
        """u8.ToArray(),
        """
        {"timestamp":"2026-01-01T00:00:01Z","uptime_s":2,"total":{},"process":{},
        "latency_buckets":{"le_100us":2},"latency_histogram":{"sum_ns":10,"max_ns":7,"fine":[3,1,7,1]}}
        """u8.ToArray(),
    ];

    public override string? Check(FuzzInput input)
    {
        bool isLine = KpiJson.TryParse(Encoding.UTF8.GetString(input.Bytes), previous: null, out KpiSnapshot? snapshot);
        Note(accepted: isLine, refused: !isLine);
        return isLine == snapshot is not null ? null : "neither a snapshot nor none";
    }
}
