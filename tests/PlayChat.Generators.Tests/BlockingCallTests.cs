using System.Collections.Immutable;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PlayChat.Generators.Tests;

public sealed class BlockingCallTests
{
    [Theory]
    [InlineData("SaveAsync().Wait();", "Task.Wait")]
    [InlineData("Task.WaitAll(SaveAsync());", "Task.WaitAll")]
    [InlineData("_ = CountAsync().Result;", "Task.Result")]
    [InlineData("_ = new ValueTask<int>(1).Result;", "ValueTask.Result")]
    [InlineData("SaveAsync().GetAwaiter().GetResult();", "TaskAwaiter.GetResult")]
    [InlineData("_ = CountAsync().ConfigureAwait(false).GetAwaiter().GetResult();", "ConfiguredTaskAwaiter.GetResult")]
    [InlineData("Thread.Sleep(3000);", "Thread.Sleep")]
    public async Task A_call_that_blocks_in_a_hook_of_a_room_is_told(string statement, string call)
    {
        Diagnostic found = Assert.Single(await AnalyzeAsync(inHook: statement));

        Assert.Equal(("PLAYCHAT011", DiagnosticSeverity.Warning), (found.Id, found.Severity));
        Assert.StartsWith(
            $"{call} blocks the thread in 'Arena.OnCreate'", found.GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("router.MapPacket<Move>((context, message) => SaveAsync().Wait());", "MapPacket")]
    [InlineData("router.MapRoomPacket<Arena, Player, Move>((room, context, player, message) => Thread.Sleep(1));", "MapRoomPacket")]
    [InlineData("arena.Post(room => Thread.Sleep(1));", "Post")]
    [InlineData("new PlayChat.Core.Hosting.PlayChatServer().OnConnected(session => Thread.Sleep(1));", "OnConnected")]
    public async Task A_lambda_that_blocks_is_told_with_the_method_that_takes_it(string statement, string place) => Assert.Contains(
        $"in '{place}'",
        Assert.Single(await AnalyzeAsync(inStart: statement)).GetMessage(CultureInfo.InvariantCulture),
        StringComparison.Ordinal);

    [Theory]
    [InlineData("[Packet(7)] public void OnMove(Move message) => Thread.Sleep(1);", "Handlers.OnMove")]
    public async Task A_packet_handler_that_blocks_is_told(string method, string place) => Assert.Contains(
        $"in '{place}'",
        Assert.Single(await AnalyzeAsync(inHandlers: method)).GetMessage(CultureInfo.InvariantCulture),
        StringComparison.Ordinal);

    [Fact]
    public async Task What_does_not_block_the_room_is_not_told()
    {
        Assert.Empty(await AnalyzeAsync(inHook: "_ = SaveAsync();"));
        Assert.Empty(await AnalyzeAsync(inHook: "_ = Offload.Run(this, static room => Thread.Sleep(1));"));
        Assert.Empty(await AnalyzeAsync(inHook: "_ = Task.Run(() => SaveAsync().Wait());"));
        Assert.Empty(await AnalyzeAsync(inHook: "var saved = CountAsync(); if (saved.IsCompletedSuccessfully) { _ = saved.Result; }"));
        Assert.Empty(await AnalyzeAsync(inStart: "SaveAsync().Wait();"));
        Assert.Empty(await AnalyzeAsync(inHandlers: "public void NoHandler(Move message) => Thread.Sleep(1);"));
    }

    private static Task<ImmutableArray<Diagnostic>> AnalyzeAsync(string inHook = "", string inStart = "", string inHandlers = "")
    {
        GeneratorRun run = GeneratorRun.Of(
            $$"""
            public sealed class Player(Session session) : RoomMember(session);
            public abstract class Arena(RoomContext context) : Room<Player>(context)
            {
                protected override void OnCreate() { {{inHook}} }
                private static async Task SaveAsync() => await Task.Yield();
                private static Task<int> CountAsync() => Task.FromResult(1);
            }
            public sealed class Handlers
            {
                {{inHandlers}}
            }
            public static class Game
            {
                public static void Start(PacketRouter router, Arena arena) { {{inStart}} }
                private static async Task SaveAsync() => await Task.Yield();
            }
            """);
        Assert.DoesNotContain(run.Warnings, static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);
        return run.Output.WithAnalyzers([new BlockingCallAnalyzer()]).GetAnalyzerDiagnosticsAsync();
    }
}
