using System.Collections.Immutable;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PlayChat.Generators.Tests;

public sealed class LostTaskTests
{
    [Theory]
    [InlineData("router.MapPacket<Move>((context, message) => SaveAsync())", "MapPacket")]
    [InlineData("router.MapPacket<Move>((context, message) => CountAsync())", "MapPacket")]
    [InlineData("router.MapPacket<Move>((_, _) => SaveAsync(), 7)", "MapPacket")]
    [InlineData("router.MapRoomPacket<Arena, Player, Move>((room, context, player, message) => SaveAsync())", "MapRoomPacket")]
    [InlineData("router.MapRoomRequest<Arena, Player, Move, Task>((room, context, player, message) => SaveAsync())", "MapRoomRequest")]
    [InlineData("arena.Post(room => SaveAsync())", "Post")]
    [InlineData("arena.Post(room => room.Sum())", "Post")]
    [InlineData("arena.Post(async room => await SaveAsync())", "Post")]
    [InlineData("arena.Post(async room => { await SaveAsync(); })", "Post")]
    [InlineData("arena.Post(async delegate (Arena room) { await SaveAsync(); })", "Post")]
    [InlineData("arena.Post<Arena>(OnRoom)", "Post")]
    [InlineData("arena.PostAsync((room, _) => SaveAsync(), \"\")", "PostAsync")]
    [InlineData("router.MapPacket<Move>((context, message) => context.Session.FindRoom<Arena>()?.PostAsync((room, _) => room.Count(), "
        + "\"\"))", "MapPacket")]
    [InlineData("arena.RequestAsync(async room => await SaveAsync())", "RequestAsync")]
    [InlineData("arena.RequestAsync(room => room.Sum())", "RequestAsync")]
    [InlineData("new PlayChat.Core.Hosting.PlayChatServer(async options => await SaveAsync())", "PlayChatServer")]
    public async Task A_task_that_nobody_would_wait_for_is_told(string call, string method)
    {
        Diagnostic found = Assert.Single(await AnalyzeAsync(call));

        Assert.Equal(("PLAYCHAT007", DiagnosticSeverity.Warning), (found.Id, found.Severity));
        Assert.StartsWith(
            $"'{method}' takes no asynchronous code here", found.GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
        Assert.Contains(found.Location.SourceTree!.ToString()
            .Substring(found.Location.SourceSpan.Start, found.Location.SourceSpan.Length), call, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("router.MapPacket<Move>((context, message) => SaveAsync())", "async (context, message) => await …")]
    [InlineData("arena.Post(room => SaveAsync())", "post its result to the room")]
    [InlineData("arena.RequestAsync(async room => await SaveAsync())", "post its result to the room")]
    [InlineData(
        "router.MapRoomPacket<Arena, Player, Move>((room, context, player, message) => SaveAsync())", "post its result to the room")]
    [InlineData(
        "new PlayChat.Core.Hosting.PlayChatServer().OnConnected(async session => await SaveAsync())",
        "discard its task: _ = GreetAsync(…)")]
    public async Task The_advice_fits_the_method(string call, string advice) => Assert.EndsWith(
        advice, Assert.Single(await AnalyzeAsync(call)).GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);

    [Fact]
    public async Task The_advice_for_OnConnected_is_not_told_in_turn() =>
        Assert.Empty(await AnalyzeAsync("new PlayChat.Core.Hosting.PlayChatServer().OnConnected(session => _ = SaveAsync())"));

    [Fact]
    public async Task A_hook_of_a_room_that_is_async_void_is_told()
    {
        GeneratorRun run = GeneratorRun.Of(
            """
            public sealed class Player(Session session) : RoomMember(session);
            public abstract class Arena(RoomContext context) : Room<Player>(context)
            {
                protected override async void OnJoined(Player member) => await Task.Yield();
                protected override void OnLeave(Player member, LeaveReason reason) { }
                protected override void OnCreate() => Every(TimeSpan.FromSeconds(1), async () => await Task.Yield());
                private async void Save() => await Task.Yield();
            }
            """);

        ImmutableArray<Diagnostic> found = await run.Output.WithAnalyzers([new LostTaskAnalyzer()]).GetAnalyzerDiagnosticsAsync();

        Assert.All(found, static diagnostic => Assert.EndsWith(
            "post its result to the room", diagnostic.GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal));
        Assert.Equal(
            ["'Every' takes", "'OnJoined' takes"],
            found.Select(static diagnostic => string.Join(' ', diagnostic.GetMessage(CultureInfo.InvariantCulture).Split(' ')[..2]))
                .Order(StringComparer.Ordinal),
            StringComparer.Ordinal);
    }

    [Theory]
    [InlineData("router.MapPacket<Move>(async (context, message) => await SaveAsync())")]
    [InlineData("router.MapPacket<Move>((context, message) => new ValueTask(SaveAsync()))")]
    [InlineData("router.MapPacket<Move>((context, message) => context.Reply(message))")]
    [InlineData("router.MapPacket<Move>((context, message) => { _ = SaveAsync(); })")]
    [InlineData("router.MapPacket<Move>((context, message) => _ = SaveAsync())")]
    [InlineData("arena.Post(room => room.Count())")]
    [InlineData("arena.RequestAsync(room => room.Count())")]
    [InlineData("arena.Post(room => { _ = SaveAsync(); })")]
    [InlineData("System.Threading.Tasks.Parallel.Invoke(() => SaveAsync())")]
    [InlineData("Run(() => SaveAsync())")]
    public async Task What_is_waited_for_or_meant_or_not_ours_is_not_told(string call) => Assert.Empty(await AnalyzeAsync(call));

    private static Task<ImmutableArray<Diagnostic>> AnalyzeAsync(string call)
    {
        GeneratorRun run = GeneratorRun.Of(
            $$"""
            public sealed class Player(Session session) : RoomMember(session);
            public abstract class Arena(RoomContext context) : Room<Player>(context)
            {
                public int Count() => 1;
                public async ValueTask<int> Sum() { await Task.Yield(); return 1; }
            }
            public static class Game
            {
                public static void Start(PacketRouter router, Arena arena) => {{call}};
                private static async Task SaveAsync() => await Task.Yield();
                private static Task<int> CountAsync() => Task.FromResult(1);
                private static async void OnRoom(Arena room) => await Task.Yield();
                private static void Run(Action action) => action();
            }
            """);
        Assert.DoesNotContain(run.Warnings, static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);
        return run.Output.WithAnalyzers([new LostTaskAnalyzer()]).GetAnalyzerDiagnosticsAsync();
    }
}
