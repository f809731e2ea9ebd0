using Microsoft.CodeAnalysis;

namespace PlayChat.Generators.Tests;

public sealed class IncrementalTests
{
    private const string Handlers = "public sealed class Handlers { [Packet(7)] public void On(Move message) { } }";

    [Fact]
    public void What_did_not_change_is_not_read_again()
    {
        GeneratorRun run =
            GeneratorRun.Of([Handlers, "public static class Other { public static void Map(PacketRouter r) => r.MapPacketHandlers(); }"],
                OutputKind.DynamicallyLinkedLibrary);

        GeneratorRun after = run.After(
            2, "public static class Other { public static int A; public static void Map(PacketRouter r) => r.MapPacketHandlers(); }");

        Assert.All(Reasons(after, PacketHandlerGenerator.ReadStep), AssertCached);
        Assert.All(Reasons(after, PacketHandlerGenerator.HandlersStep), AssertCached);
        Assert.All(OutputReasons(after), AssertCached);
    }

    [Fact]
    public void A_handler_that_moved_is_not_written_again()
    {
        GeneratorRun run = GeneratorRun.Of(Handlers);

        GeneratorRun after =
            run.After(1, "// a comment\n\n" + Handlers.Replace("{ } }", "{ message.ToString(); } }", StringComparison.Ordinal));

        Assert.Contains(IncrementalStepRunReason.Modified, Reasons(after, PacketHandlerGenerator.ReadStep));
        Assert.All(Reasons(after, PacketHandlerGenerator.HandlersStep), AssertCached);
        Assert.All(OutputReasons(after), AssertCached);
    }

    [Fact]
    public void A_handler_that_changed_is_written_again()
    {
        GeneratorRun run = GeneratorRun.Of(Handlers);

        GeneratorRun after = run.After(1, Handlers.Replace("(7)", "(8)", StringComparison.Ordinal));

        Assert.Contains(IncrementalStepRunReason.Modified, OutputReasons(after));
        Assert.Contains(", 8)", after.Code, StringComparison.Ordinal);
    }

    private static void AssertCached(IncrementalStepRunReason reason) =>
        Assert.True(reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged, $"The step was {reason}.");

    private static IncrementalStepRunReason[] Reasons(GeneratorRun run, string step) =>
        ReasonsOf(run.Driver.GetRunResult().Results[0].TrackedSteps[step]);

    // The first output is the source; the others, of which there are none here, report.
    private static IncrementalStepRunReason[] OutputReasons(GeneratorRun run) =>
        ReasonsOf(run.Driver.GetRunResult().Results[0].TrackedOutputSteps.SelectMany(static steps => steps.Value));

    private static IncrementalStepRunReason[] ReasonsOf(IEnumerable<IncrementalGeneratorRunStep> steps) =>
        [.. steps.SelectMany(static step => step.Outputs).Select(static output => output.Reason)];
}
