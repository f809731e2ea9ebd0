using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Dispatch;

/// <summary>What a listener hears of packets.</summary>
/// <remarks>Their ids are those of no other test: all tests of the process share the meter's name.</remarks>
public sealed class PacketMeterTests : IDisposable
{
    private const ushort Quick = 4711;
    private const ushort Slow = 4712;
    private const ushort Failing = 4713;
    private const ushort SlowAndFailing = 4714;

    private readonly ConcurrentQueue<(string Name, string Tags, double Value)> _heard = [];
    private readonly MeterListener _listener = new();

    public PacketMeterTests()
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name.StartsWith("playchat.packet.", StringComparison.Ordinal))
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Hear(instrument, value, tags));
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Hear(instrument, value, tags));
        _listener.Start();
    }

    public void Dispose() => _listener.Dispose();

    [Fact]
    public async Task Each_packet_is_counted_and_timed_whether_its_handler_waits_or_fails()
    {
        PacketSet packets = new PacketSet().Add(new TextPacket(Quick)).Add(new TextPacket(Slow)).Add(new TextPacket(Failing))
            .Add(new TextPacket(SlowAndFailing));
        await using RoomHarness<Room> harness = await RoomHarness.StartAsync(packets, static router =>
        {
            router.OnFault = static (_, _) => { };
            router.OnMalformed = static _ => { };
            router.MapPacket<string>(static (_, _) => { }, Quick);
            router.MapPacket<string>(static async (_, _) => await Task.Yield(), Slow);
            router.MapPacket<string>(static (_, _) => throw new FormatException("no"), Failing);
            router.MapPacket<string>(
                static async (_, _) =>
                {
                    await Task.Yield();
                    throw new FormatException("no");
                },
                SlowAndFailing);
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, Quick, "abc");
        await harness.SayAsync(client, Slow, "a");
        await harness.SayAsync(client, Failing, "a");
        await harness.SayAsync(client, SlowAndFailing, "a");
        await harness.SayAsync(client, Quick, ""); // malformed

        _listener.RecordObservableInstruments();
        Assert.Equal(["bytes 3", "duration", "errors malformed 1", "received 2"], Heard(Quick));
        Assert.Equal(["bytes 1", "duration", "received 1"], Heard(Slow));
        Assert.Equal(["bytes 1", "duration", "errors handler_fault 1", "received 1"], Heard(Failing));
        Assert.Equal(["bytes 1", "duration", "errors handler_fault 1", "received 1"], Heard(SlowAndFailing));
        Assert.All(_heard, static measurement => Assert.True(measurement.Value >= 0));
    }

    private void Hear(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        Assert.Equal("packet", tags[0].Key);
        string error = tags.Length > 1 && tags[1].Key == "error.type" ? $" {tags[1].Value}" : "";
        _heard.Enqueue((instrument.Name["playchat.packet.".Length..] + error, (string)tags[0].Value!, value));
    }

    private string[] Heard(ushort packetId) =>
    [
        .. _heard.Where(measurement => measurement.Tags == $"TEXT_{packetId}")
            .Select(static measurement => measurement.Name == "duration" ? "duration" : $"{measurement.Name} {measurement.Value:0}")
            .Order(StringComparer.Ordinal),
    ];
}
