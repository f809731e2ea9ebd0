using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace PlayChat.Tool.Tests;

/// <summary>Messages of every kind, from C# to generated TypeScript and back, by Node.</summary>
public sealed class RoundTripTests
{
    private const int Values = 200;

    [Fact]
    public Task Random_messages_come_back_as_they_were() => GoThereAndBackAsync(nameof(BroadPackets), "bigint");

    [Theory]
    [InlineData(nameof(PlainPackets), "bigint")]
    [InlineData(nameof(BroadPackets), "string")]
    [Trait("Tier", "Full")]
    public Task Random_messages_come_back_as_they_were_with_other_settings(string set, string longs) => GoThereAndBackAsync(set, longs);

    [Fact]
    public async Task The_types_say_what_the_messages_say()
    {
        using var folder = new NodeFolder();
        await ToolRun.GenerateAsync("typescript", ToolRun.Assembly, "-o", folder.PathOf("gen"), "--set", nameof(BroadPackets));
        folder.Copy("types.ts");

        await folder.CompileAsync();
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task As_numbers_integers_that_would_be_rounded_are_malformed()
    {
        using var folder = new NodeFolder();
        await ToolRun.GenerateAsync(
            "typescript", ToolRun.Assembly, "-o", folder.PathOf("gen"), "--set", nameof(BroadPackets), "--long", "number");
        await File.WriteAllTextAsync(folder.PathOf("large.ts"), """
            import { Tree } from "./gen/messages.js";
            const read = (id: string): number => Tree.decode(new TextEncoder().encode(`{"id":${id},"children":[]}`)).id;
            console.log(read("9007199254740991"));
            try {
                read("9007199254740993");
            } catch (error) {
                console.log((error as Error).message);
            }
            """, TestContext.Current.CancellationToken);
        await folder.CompileAsync();

        Assert.Equal(
            "9007199254740991\n9007199254740993 is no integer that a number holds exactly. Generate the client with --long bigint.\n",
            await folder.RunAsync("", "large.js"));
    }

    private static async Task GoThereAndBackAsync(string set, string longs)
    {
        using var folder = new NodeFolder();
        await ToolRun.GenerateAsync("typescript", ToolRun.Assembly, "-o", folder.PathOf("gen"), "--set", set, "--long", longs);
        folder.Copy("roundTrip.ts");
        await folder.CompileAsync();
        (PacketSet packets, JsonSerializerContext context) = set == nameof(BroadPackets)
            ? (BroadPackets.All, (JsonSerializerContext)BroadJson.Default)
            : (PlainPackets.All, PlainJson.Default);
        (PacketType Type, string Json)[] sent = [.. from type in packets.All
            from seed in Enumerable.Range(0, Values)
            select (type, JsonSerializer.Serialize(new RandomValues(seed).Make(type.MessageType), type.MessageType, context))];

        string[] received = (await folder.RunAsync(
            string.Concat(sent.Select(static message => $"{message.Type.Name} {message.Json}\n")), "roundTrip.js")).Split('\n');

        for (int i = 0; i < sent.Length; i++)
        {
            (PacketType type, string json) = sent[i];
            string again = JsonSerializer.Serialize(
                JsonSerializer.Deserialize(received[i], type.MessageType, context), type.MessageType, context);
            Assert.True(JsonNode.DeepEquals(JsonNode.Parse(json), JsonNode.Parse(again)), $"{type.Name} {json}\nbecame\n{received[i]}");
        }
    }
}
