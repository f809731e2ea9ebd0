using System.Text;
using Google.Protobuf;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Tests.Chat;

public sealed class VerifiedMessagesTests
{
    private static readonly ChatText s_text = new(Sender: 3, Number: 4, PlannedNanoseconds: 5);

    private readonly VerifiedMessages _messages = new();

    [Fact]
    public void The_same_bytes_under_the_same_sequence_are_known()
    {
        _messages.Add(7, "one"u8, s_text);

        Assert.True(_messages.Contains(7, "one"u8, out ChatText text));
        Assert.Equal(s_text, text);
        Assert.False(_messages.Contains(8, "one"u8, out _));
    }

    [Fact]
    public void Any_other_byte_or_length_is_not_known()
    {
        byte[] body = Encoding.ASCII.GetBytes(new string('a', 100));
        _messages.Add(7, body, s_text);

        for (int i = 0; i < body.Length; i++)
        {
            body[i]++;
            Assert.False(_messages.Contains(7, body, out _));
            body[i]--;
        }

        Assert.False(_messages.Contains(7, body.AsSpan(0, 99), out _));
        Assert.False(_messages.Contains(7, [], out _));
    }

    [Fact]
    public void What_was_overwritten_is_not_known_and_what_came_last_is()
    {
        var random = new Random(1);
        byte[][] bodies = Enumerable.Range(0, 2_000).Select(_ => new byte[random.Next(1, 4_000)]).ToArray();
        for (int i = 0; i < bodies.Length; i++)
        {
            random.NextBytes(bodies[i]);
            _messages.Add(i, bodies[i], s_text with { Number = i });
            for (int back = 0; back <= Math.Min(i, 5); back++)
            {
                Assert.True(_messages.Contains(i - back, bodies[i - back], out ChatText text));
                Assert.Equal(i - back, text.Number);
            }
        }

        Assert.False(_messages.Contains(0, bodies[0], out _));
    }

    [Fact]
    public void Another_thread_has_to_verify_for_itself()
    {
        _messages.Add(7, "one"u8, s_text);
        bool known = true;
        var other = new Thread(() => known = _messages.Contains(7, "one"u8, out _));

        other.Start();
        other.Join();

        Assert.False(known);
    }

    [Fact]
    public void A_second_receiver_finds_the_same_faults_as_the_first()
    {
        var roster = new ChatRoster(clients: 2, rooms: 1);
        roster.PlayerIds[0] = 100;
        roster.PlayerIds[1] = 101;
        var codec = new ChatTextCodec(seed: 1);
        var log = new FanoutLog(roster, late: TimeSpan.FromMilliseconds(50));
        DeliveryChecker[] receivers = Enumerable.Range(0, 2)
            .Select(_ => new DeliveryChecker(roster, codec, receiver: 0, log, _messages))
            .ToArray();
        byte[][] messages =
        [
            Encode(codec, 1, 0), Encode(codec, 2, 1), Encode(codec, 2, 1),
            Encode(codec, 4, 3), Encode(codec, 3, 2), Encode(codec, 5, 1),
        ];
        messages[0][^1] ^= 1;

        foreach (DeliveryChecker receiver in receivers)
        {
            receiver.OnJoined(7, latestSequence: 0);
            foreach (byte[] message in messages)
            {
                receiver.OnChat(message, now: 3_000, new MeasureWindow(1_000, 2_000));
            }
        }

        foreach (DeliveryChecker receiver in receivers)
        {
            Assert.Equal(
                (3, 2, 1, 1),
                (receiver.Counter.Delivered, receiver.Counter.Duplicated, receiver.Counter.Reordered, receiver.Counter.Corrupted));
        }
    }

    private static byte[] Encode(ChatTextCodec codec, long sequence, int number)
    {
        byte[] text = new byte[64];
        codec.Write(text, new ChatText(Sender: 0, number, PlannedNanoseconds: 1_500));
        return new SRoomChatNtf
        {
            RoomId = 7,
            Sequence = sequence,
            PreviousSequence = sequence - 1,
            PlayerId = 100,
            Text = Encoding.ASCII.GetString(text),
        }.ToByteArray();
    }
}
