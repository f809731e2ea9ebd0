using System.Text;
using PlayChat.Kpi;

namespace PlayChat.AttackTests.Fuzzing;

/// <summary>A line of the server's figures, as a tool reads it from a file.</summary>
internal sealed class KpiTarget(byte[] line) : FuzzTarget("figures")
{
    public override IReadOnlyList<byte[]> Samples { get; } = [line];

    public override string? Check(FuzzInput input)
    {
        bool isLine = KpiJson.TryParse(Encoding.UTF8.GetString(input.Bytes), previous: null, out KpiSnapshot? snapshot);
        return isLine == snapshot is not null ? null : "neither a snapshot nor none";
    }
}
