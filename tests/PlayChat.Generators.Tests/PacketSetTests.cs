using System.Globalization;
using Microsoft.CodeAnalysis;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Generators.Tests.Game;
using PlayChat.Testing;
using PlayChat.TestUtilities;

namespace PlayChat.Generators.Tests;

public sealed class PacketSetTests
{
    private const string Context = """
        [System.Text.Json.Serialization.JsonSerializable(typeof(Roll)), System.Text.Json.Serialization.JsonSerializable(typeof(Rolled))]
        internal sealed class GameJson() : System.Text.Json.Serialization.JsonSerializerContext(null)
        {
            public static GameJson Default { get; } = new();
            protected override System.Text.Json.JsonSerializerOptions? GeneratedSerializerOptions => null;
            public override System.Text.Json.Serialization.Metadata.JsonTypeInfo? GetTypeInfo(Type type) => null;
        }
        [PlayChat.Core.Packets.JsonPackets(typeof(GameJson))] public static partial class GamePackets;

        """;

    [Fact]
    public async Task A_written_set_carries_its_messages_over_a_link_and_knows_its_failures()
    {
        await using RoomHarness<Room> harness = await RoomHarness.StartAsync(
            Waves.All,
            static router => router.MapPacket<Waves.Wave>(static (context, wave) =>
            {
                if (wave.Count < 10)
                {
                    context.Reply(wave with { Count = wave.Count + 1 });
                }
                else
                {
                    context.Reply(new Waves.NoWave("too many"));
                }
            }));
        HarnessClient client = await harness.ConnectAsync();

        Assert.Equal(new Waves.Wave(8), await client.RequestAsync<Waves.Wave>(new Waves.Wave(7)));
        await Assert.ThrowsAsync<RequestFailedException>(() => client.RequestAsync<Waves.Wave>(new Waves.Wave(10)));
        Assert.Equal([(400, "Wave"), (401, "NoWave")], Waves.All.All.Select(static type => ((int)type.Id, type.Name)));
    }

    [Fact]
    public void Messages_are_added_by_rising_id_and_what_has_no_id_is_left_out()
    {
        GeneratorRun run = GeneratorRun.Of(Context + """
            [PlayChat.Core.Packets.PacketId(9, IsFailure = true)] internal sealed record Rolled(int Value);
            [PlayChat.Core.Packets.PacketId(PacketId.Chat)] internal sealed record Roll(int Sides);
            internal sealed record Other(int Sides);
            """);

        Assert.Empty(run.Diagnostics);
        Assert.DoesNotContain(run.Warnings, static warning => warning.Id != "CS1701"); // the test's own references differ in version
        int roll = run.Code.IndexOf(
            ".AddJson<global::Game.Roll>(8, (global::System.Text.Json.Serialization.Metadata.JsonTypeInfo<global::Game.Roll>)"
                + "global::Game.GameJson.Default.GetTypeInfo(typeof(global::Game.Roll))!)", StringComparison.Ordinal);
        int rolled = run.Code.IndexOf(".AddJson<global::Game.Rolled>(9, ", StringComparison.Ordinal);
        Assert.InRange(roll, 1, rolled);
        Assert.Contains(", isFailure: true)", run.Code[rolled..], StringComparison.Ordinal);
        Assert.DoesNotContain("Other", run.Code, StringComparison.Ordinal);
    }

    [Fact]
    public void A_handler_without_an_id_takes_that_of_its_message()
    {
        GeneratorRun run = GeneratorRun.Of("""
            [PlayChat.Core.Packets.PacketId(12)] public sealed record Roll(int Sides);
            public static class Handlers { [Packet] public static void On(Roll message) { } }
            """);

        Assert.Empty(run.Diagnostics);
        Assert.EndsWith(", 12);", run.Statements[^1], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(
        "public static class Handlers { [{|Packet|}] public static void On(Move message) { } }",
        "PLAYCHAT004",
        "The packet id of 'Handlers.On' is neither in [Packet] nor as [PacketId] on its message: give an integer constant")]
    [InlineData(
        "[{|PlayChat.Core.Packets.PacketId(65_535)|}] public sealed record Roll;",
        "PLAYCHAT004",
        "The packet id of 'Roll' is 65535: ")]
    [InlineData(
        Context + "[PlayChat.Core.Packets.PacketId(1)] record Roll; record Rolled; [{|PlayChat.Core.Packets.PacketId(2)|}] record New;",
        "PLAYCHAT009",
        "A set of packets cannot contain 'New': 'GameJson' does not serialize it; add [JsonSerializable(typeof(New))] there")]
    [InlineData(
        Context + "[PlayChat.Core.Packets.PacketId(1)] record Roll; [{|PlayChat.Core.Packets.PacketId(1)|}] record Rolled;",
        "PLAYCHAT010",
        "Packet id 1 carries 'Roll' already: give 'Rolled' another id")]
    [InlineData(
        "class Outer { [PlayChat.Core.Packets.PacketId(1)] private sealed record Hidden; }",
        "PLAYCHAT009",
        "A set of packets cannot contain 'Outer.Hidden': 'Outer.Hidden' is private; make it internal or public")]
    [InlineData(
        "[PlayChat.Core.Packets.JsonPackets(typeof(Move))] public static partial class Set;",
        "PLAYCHAT009",
        "A set of packets cannot contain 'Set': its context is no JsonSerializerContext; give a class that derives from it")]
    [InlineData(
        "[PlayChat.Core.Packets.JsonPackets(typeof(Move))] public static class Set;",
        "PLAYCHAT009",
        "A set of packets cannot contain 'Set': it is no static partial class without type parameters; make it one")]
    public void What_cannot_be_written_is_told(string code, string id, string message)
    {
        GeneratorRun run = GeneratorRun.Of(code.Replace("{|", "", StringComparison.Ordinal).Replace("|}", "", StringComparison.Ordinal));

        Diagnostic found = Assert.Single(run.Diagnostics);
        Assert.Equal(id, found.Id);
        Assert.StartsWith(message, found.GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
        if (code.Contains("{|", StringComparison.Ordinal))
        {
            string marked = code[(code.IndexOf("{|", StringComparison.Ordinal) + 2)..code.IndexOf("|}", StringComparison.Ordinal)];
            Assert.Equal(
                marked, found.Location.SourceTree!.ToString().Substring(found.Location.SourceSpan.Start, found.Location.SourceSpan.Length));
        }
    }

    [Fact]
    public async Task Every_diagnostic_has_a_link_to_its_section_of_the_documentation()
    {
        string page = await File.ReadAllTextAsync(Repository.PathOf("docs/reference/diagnostics.md"));
        DiagnosticDescriptor[] rules =
        [
            .. typeof(Rules).GetFields().Select(static field => field.GetValue(null)).OfType<DiagnosticDescriptor>(),
        ];

        Assert.Equal(12, rules.Length);
        Assert.All(rules, rule =>
        {
            Assert.Equal(HelpLink.Of(rule.Id), rule.HelpLinkUri);
            Assert.True(rule.HelpLinkUri.Length == 0 || Uri.IsWellFormedUriString(rule.HelpLinkUri, UriKind.Absolute), rule.HelpLinkUri);
            Assert.Contains($"\n## {rule.Id}\n", page, StringComparison.Ordinal);
        });
    }

    [Theory]
    [InlineData(null, "")]
    [InlineData("https://example.org/a/b.git", "https://example.org/a/b/blob/main/docs/reference/diagnostics.md#playchat001")]
    [InlineData("https://example.org/a/b/", "https://example.org/a/b/blob/main/docs/reference/diagnostics.md#playchat001")]
    public void A_link_is_an_address_of_the_repository_or_there_is_none(string? repository, string link) =>
        Assert.Equal(link, HelpLink.Of("PLAYCHAT001", repository));
}
