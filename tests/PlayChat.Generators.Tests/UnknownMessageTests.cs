using System.Collections.Immutable;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PlayChat.Generators.Tests;

public sealed class UnknownMessageTests
{
    private const string Known = "[PacketId(1)] public sealed record Known; ";

    [Theory]
    [InlineData(Known + "router.MapPacket<Move>((_, _) => { })", "Move")]
    [InlineData("new PacketSet().Add(new Packet<Chat>()); router.MapPacket<Move>((_, _) => { })", "Move")]
    [InlineData(Known + "router.MapRoomRequest<Arena, Player, Known, Move>((room, _, player, message) => null)", "Move")]
    public async Task A_message_that_no_packet_carries_is_told(string code, string message)
    {
        Diagnostic found = Assert.Single(await AnalyzeAsync(code));

        Assert.Equal(("PLAYCHAT008", DiagnosticSeverity.Warning), (found.Id, found.Severity));
        Assert.StartsWith($"No packet carries '{message}'", found.GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Known + "router.MapPacket<Known>((_, _) => { })")]
    [InlineData("new PacketSet().Add(new Packet<Move>()); router.MapPacket<Move>((_, _) => { })")]
    [InlineData("new PacketSet().AddJson<Move>(7, null!); router.MapPacket<Move>((_, _) => { })")]
    [InlineData("AddMine<Move>(new PacketSet()); new PacketSet().Add(new Packet<Chat>()); router.MapPacket<Move>((_, _) => { })")]
    [InlineData(Known + "router.MapPacket<string>((_, _) => { })")]
    [InlineData("router.MapPacket<Move>((_, _) => { })")]
    public async Task A_message_with_a_packet_or_of_a_project_whose_packets_are_elsewhere_is_not_told(string code) =>
        Assert.Empty(await AnalyzeAsync(code));

    [Fact]
    public async Task A_message_of_another_project_is_told_where_that_project_gives_ids()
    {
        GeneratorRun messages = GeneratorRun.Of(
            ["[PlayChat.Core.Packets.PacketId(1)] public sealed record Known; public sealed record Forgotten;"],
            OutputKind.DynamicallyLinkedLibrary,
            "Messages");
        GeneratorRun server = GeneratorRun.Of(
            [
                "public static class Server { public static void Map(PacketRouter router) { router.MapPacket<Known>((_, _) => { }); "
                    + "router.MapPacket<Forgotten>((_, _) => { }); } }",
            ],
            OutputKind.DynamicallyLinkedLibrary,
            "Server",
            messages.Output.ToMetadataReference());

        Diagnostic found = Assert.Single(await AnalyzeAsync(server));

        Assert.Contains("'Forgotten'", found.GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    private static Task<ImmutableArray<Diagnostic>> AnalyzeAsync(string code)
    {
        bool isKnown = code.StartsWith(Known, StringComparison.Ordinal);
        string known = isKnown ? Known.Replace("[", "[PlayChat.Core.Packets.", StringComparison.Ordinal) : "";
        string body = (isKnown ? code[Known.Length..] : code)
            .Replace("PacketSet", "PlayChat.Core.Packets.PacketSet", StringComparison.Ordinal);
        // Code that adds any message may add all, so only the test that calls this helper has it.
        string helper = code.Contains("AddMine", StringComparison.Ordinal)
            ? "private static void AddMine<T>(PlayChat.Core.Packets.PacketSet packets) => packets.Add(new Packet<T>());"
            : "";
        GeneratorRun run = GeneratorRun.Of(
            $$"""
            {{known}}
            public sealed class Player(Session session) : RoomMember(session);
            public abstract class Arena(RoomContext context) : Room<Player>(context);
            public abstract class PacketOf<T>() : PlayChat.Core.Packets.PacketType<T>(7, "x");
            public sealed class Packet<T> : PacketOf<T>
            {
                public override bool TryDecode(in PlayChat.Core.Framing.Frame frame, out T message) => throw new NotSupportedException();
                public override int GetBodyBytes(T message) => 0;
                public override void Encode(T message, Span<byte> destination) { }
            }
            public static class Game
            {
                public static void Start(PacketRouter router)
                {
                    {{body}};
                }

                {{helper}}
            }
            """);
        Assert.DoesNotContain(run.Warnings, static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);
        return AnalyzeAsync(run);
    }

    private static Task<ImmutableArray<Diagnostic>> AnalyzeAsync(GeneratorRun run) =>
        run.Output.WithAnalyzers([new UnknownMessageAnalyzer()]).GetAnalyzerDiagnosticsAsync();
}
