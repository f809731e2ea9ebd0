using PlayChat.Simulation.Cluster;

namespace PlayChat.Simulation;

/// <summary>Looks for a smaller world that breaks the same rule: fewer kinds of faults, fewer clients, less time.</summary>
internal static class Shortening
{
    private const int Lines = 60;

    internal static Result Run(Plan plan, Variant variant, string rule)
    {
        Result best = Try(plan, variant, rule) ?? throw new InvalidOperationException("The seed does not repeat its failure.");
        foreach (Faults fault in Enum.GetValues<Faults>())
        {
            if (fault is not (Faults.None or Faults.All) && best.Plan.Has(fault))
            {
                best = Try(best.Plan with { Faults = best.Plan.Faults & ~fault }, variant, rule) ?? best;
            }
        }

        foreach (NodeFaults fault in Enum.GetValues<NodeFaults>())
        {
            if (fault is not (NodeFaults.None or NodeFaults.All) && best.Plan.Cluster is { } cluster && cluster.Has(fault))
            {
                best = Try(best.Plan with { Cluster = cluster with { Faults = cluster.Faults & ~fault } }, variant, rule) ?? best;
            }
        }

        for (int clients = 1; clients < best.Plan.Clients; clients++)
        {
            if (Try(best.Plan with { Clients = clients }, variant, rule) is { } fewer)
            {
                best = fewer;
                break;
            }
        }

        best = best.Plan.RoomNames == 1 ? best : Try(best.Plan with { RoomNames = 1 }, variant, rule) ?? best;
        return Try(best.Plan with { Fill = 0 }, variant, rule) ?? best;
    }

    private static Result? Try(Plan plan, Variant variant, string rule)
    {
        SimulatedWorld world = SimulatedWorld.Create(plan, variant, keepsLines: true);
        world.Run();
        return world.Judge.Finding is { } finding && finding.Rule == rule
            ? new Result(plan, finding, [.. world.Trace.Lines.TakeLast(Lines)])
            : null;
    }

    /// <summary>A world that breaks the rule.</summary>
    internal sealed record Result(Plan Plan, Finding Finding, IReadOnlyList<string> Lines);
}
