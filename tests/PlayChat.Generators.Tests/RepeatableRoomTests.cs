using System.Collections.Immutable;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PlayChat.Generators.Tests;

public sealed class RepeatableRoomTests
{
    [Theory]
    [InlineData("_ = System.DateTime.UtcNow", "DateTime.UtcNow", "context.Time")]
    [InlineData("_ = System.DateTime.Now", "DateTime.Now", "context.Time")]
    [InlineData("_ = System.DateTimeOffset.UtcNow", "DateTimeOffset.UtcNow", "context.Time")]
    [InlineData("_ = System.Diagnostics.Stopwatch.StartNew()", "Stopwatch.StartNew", "context.Time")]
    [InlineData("_ = System.Environment.TickCount64", "Environment.TickCount64", "context.Time")]
    [InlineData("_ = System.Random.Shared.Next(6)", "Random.Shared", "context.Random")]
    [InlineData("_ = new System.Random().Next(6)", "new Random()", "context.Random")]
    [InlineData("_ = System.Guid.NewGuid()", "Guid.NewGuid", "context.Random")]
    [InlineData("_ = System.Threading.Tasks.Task.Run(() => 1)", "Task.Run", "Offload.Run")]
    [InlineData("Every(System.TimeSpan.FromSeconds(1), () => _ = System.DateTime.UtcNow)", "DateTime.UtcNow", "context.Time")]
    public async Task What_makes_a_room_different_in_each_run_is_told_with_what_to_use(string code, string name, string advice)
    {
        Diagnostic found = Assert.Single(await AnalyzeAsync(code, "Room<RoomMember>(context)"));

        string message = found.GetMessage(CultureInfo.InvariantCulture);
        Assert.Equal(("PLAYCHAT012", DiagnosticSeverity.Info), (found.Id, found.Severity));
        Assert.StartsWith(
            $"{name} gives something else in each run, so no simulation can repeat 'Dice'", message, StringComparison.Ordinal);
        Assert.Contains(advice, message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("_ = new System.Random(1).Next(6)")]
    [InlineData("_ = context.Time.GetUtcNow()")]
    [InlineData("_ = context.Random.Next(6)")]
    [InlineData("PlayChat.Core.Dispatch.Offload.Run(() => 1)")]
    public async Task What_a_simulation_repeats_is_not_told(string code) =>
        Assert.Empty(await AnalyzeAsync(code, "Room<RoomMember>(context)"));

    [Fact]
    public async Task A_class_that_is_no_room_is_left_alone() => Assert.Empty(await AnalyzeAsync("_ = System.DateTime.UtcNow", "object()"));

    private static async Task<ImmutableArray<Diagnostic>> AnalyzeAsync(string code, string baseType)
    {
        GeneratorRun run = GeneratorRun.Of(
            $$"""
            public abstract class Dice(RoomContext context) : {{baseType}}
            {
                public void Roll()
                {
                    {{code}};
                }
            }
            """);
        return await run.Output.WithAnalyzers([new RepeatableRoomAnalyzer()]).GetAnalyzerDiagnosticsAsync();
    }
}
