using Microsoft.Extensions.Logging;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Tests.Packets;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class MalformedPacketTests
{
    private readonly RecordingLogger _log = new();

    [Theory]
    [InlineData("""{"Name":"ada","X":"far"}""", "Path: $.X")]
    [InlineData("""{"Name":""", "Expected")]
    [InlineData("null", "The JSON value is null.")]
    [InlineData("""{"Name":"ada","X":1} {}""", "after a single JSON value")]
    public async Task A_malformed_packet_is_logged_with_its_id_its_message_its_sender_and_the_reason(string body, string reason)
    {
        await using RoomHarness<Room> harness = await StartAsync();
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 3, body);

        (LogLevel level, _, string text) = Assert.Single(Lines());
        Assert.Equal(LogLevel.Warning, level);
        string sender = $"on connection {client.Session.Connection.Id} from {client.Connection.LocalEndPoint}";
        Assert.Contains("Packet 3 (MOVE) " + sender, text, StringComparison.Ordinal);
        Assert.Contains("its body is not a valid " + typeof(JsonMove), text, StringComparison.Ordinal);
        Assert.Contains(reason, text, StringComparison.Ordinal);
        Assert.Equal(CloseReason.ProtocolViolation, client.Session.Connection.CloseReason);
    }

    [Fact]
    public async Task Malformed_packets_of_one_address_are_one_line_in_ten_seconds_and_the_next_line_counts_them()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router => router.OnMalformed = static _ => { });
        HarnessClient client = await harness.ConnectAsync();
        for (int i = 0; i < 5; i++)
        {
            await harness.SayAsync(client, 3, "[]");
        }

        Assert.Single(Lines());
        await harness.AdvanceAsync(TimeSpan.FromSeconds(10));
        await harness.SayAsync(client, 3, "[]");

        Assert.Equal(2, Lines().Length);
        Assert.Contains("4 malformed packets of its address", Lines()[1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_filter_changes_nothing_about_the_line()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router => router.AddFilter(new RecordingFilter("a", [])));
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 3, "{");

        Assert.Contains("Packet 3 (MOVE)", Assert.Single(Lines()).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_type_that_does_not_say_why_is_logged_as_well()
    {
        await using RoomHarness<Room> harness = await RoomHarness.StartAsync(
            new PacketSet().Add(TextPackets.Hello),
            static router => router.MapPacket<string>(static (_, _) => { }),
            server => server.UseLogging(_log));
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, TextPackets.Hello.Id, "");

        Assert.Contains("does not say why", Assert.Single(Lines()).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void What_a_peer_has_a_part_in_is_shown_as_one_bounded_line()
    {
        string clean = MalformedPackets.Clean("a\r\n\u001b[2J\u202e\u2028\ud800b" + new string('x', 1000));

        Assert.StartsWith("a???[2J???b", clean, StringComparison.Ordinal);
        Assert.Equal(MalformedPackets.MaxProblemLength + 1, clean.Length);
        Assert.EndsWith("x…", clean, StringComparison.Ordinal);
    }

    private Task<RoomHarness<Room>> StartAsync(Action<PacketRouter>? configure = null) => RoomHarness.StartAsync(
        new PacketSet().AddJson(3, JsonMoves.Default.JsonMove, "MOVE"),
        router =>
        {
            router.MapPacket<JsonMove>(static (_, _) => Assert.Fail("The packet is malformed."));
            configure?.Invoke(router);
        },
        server => server.UseLogging(_log));

    private (LogLevel Level, string? Event, string Text)[] Lines() =>
        [.. _log.Entries.Where(static entry => entry.Event == "Malformed")];
}
