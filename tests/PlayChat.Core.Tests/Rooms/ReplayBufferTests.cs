using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary><see cref="ReplayBuffer"/> without a room around it.</summary>
public sealed class ReplayBufferTests
{
    [Fact]
    public async Task Random_frames_are_kept_in_order_and_of_each_key_the_newest()
    {
        await using var sessions = new StubSessions();
        Session session = sessions.Open();
        var buffer = new ReplayBuffer(maxBytes: 100_000);
        List<(string Text, long? Key)> expected = [];
        var random = new Random(11);

        for (int i = 0; i < 3000; i++)
        {
            string text = i.ToString(CultureInfo.InvariantCulture);
            int kind = random.Next(10);
            long key = random.Next(8);
            Add(sessions, buffer, text, kind switch
            {
                0 => Delivery.Reliable,
                1 => Delivery.DropIfBehind,
                _ => Delivery.LatestOnly(key),
            });
            if (kind > 1)
            {
                expected.RemoveAll(frame => frame.Key == key);
            }

            if (kind != 1)
            {
                expected.Add((text, kind > 1 ? key : null));
            }
        }

        Assert.Equal(expected.Sum(static frame => 2 + frame.Text.Length), buffer.Bytes);
        Assert.True(buffer.Send(session.Connection, sessions.Pool));
        session.Connection.Flush();
        Assert.Equal(expected.Select(static frame => frame.Text).ToArray(), sessions.Received(session));
    }

    [Fact]
    public async Task Beyond_its_bound_it_keeps_nothing_any_more()
    {
        await using var sessions = new StubSessions();
        Session session = sessions.Open();
        var buffer = new ReplayBuffer(maxBytes: 10);

        Add(sessions, buffer, "1234", Delivery.LatestOnly(1));
        Add(sessions, buffer, "12345678", Delivery.LatestOnly(1)); // in the place of the first, so it fits
        Assert.Equal((10, false), (buffer.Bytes, buffer.HasOverflowed));
        Add(sessions, buffer, "", Delivery.Reliable);
        Add(sessions, buffer, "1", Delivery.Reliable);

        Assert.Equal((0, true), (buffer.Bytes, buffer.HasOverflowed));
        Assert.True(buffer.Send(session.Connection, sessions.Pool));
        session.Connection.Flush();
        Assert.Empty(sessions.Received(session));
    }

    private static void Add(StubSessions sessions, ReplayBuffer buffer, string text, Delivery delivery)
    {
        Segment segment = sessions.Pool.RentSegment(2 + text.Length);
        BinaryPrimitives.WriteUInt16BigEndian(segment.Free, (ushort)text.Length);
        Encoding.Latin1.GetBytes(text, segment.Free[2..]);
        segment.Written = 2 + text.Length;
        var loose = new LooseFrame(0, segment.Written, 0, delivery);
        buffer.Add(
            new SharedFrames(segment, 0, segment.Written, 0, 1),
            delivery.IsReliable ? default : new ReadOnlySpan<LooseFrame>(in loose));
        segment.Release();
    }
}
