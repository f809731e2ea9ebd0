using System.Text;
using Google.Protobuf;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Tests.Chat;

/// <summary>The hand-written reader and writer agree with the generated classes.</summary>
public sealed class HandWrittenProtobufTests
{
    [Fact]
    public void The_reader_reads_what_the_generated_class_writes()
    {
        var random = new Random(11);
        for (int i = 0; i < 20_000; i++)
        {
            SRoomChatNtf message = CreateRandom(random);

            Assert.True(RoomChatNotification.TryRead(message.ToByteArray(), out RoomChatNotification read));
            AssertSame(message, read);
        }
    }

    [Fact]
    public void The_reader_agrees_with_the_generated_class_about_bytes_that_were_changed()
    {
        var random = new Random(12);
        int valid = 0;
        for (int i = 0; i < 20_000; i++)
        {
            byte[] bytes = CreateRandom(random).ToByteArray();
            for (int changes = random.Next(1, 4); changes > 0 && bytes.Length > 0; changes--)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            if (Parse(bytes) is { } message)
            {
                valid++;
                Assert.True(RoomChatNotification.TryRead(bytes, out RoomChatNotification read), Convert.ToHexString(bytes));
                Assert.Equal(message.Sequence, read.Sequence);
                Assert.Equal(message.PreviousSequence, read.PreviousSequence);
            }
        }

        Assert.InRange(valid, 100, 20_000);
    }

    [Fact]
    public void Bytes_that_were_cut_never_throw()
    {
        byte[] bytes = CreateRandom(new Random(13)).ToByteArray();

        Assert.All(Enumerable.Range(0, bytes.Length), length => RoomChatNotification.TryRead(bytes.AsSpan(0, length), out _));
    }

    [Fact]
    public void The_generated_class_reads_what_the_writer_writes()
    {
        var random = new Random(14);
        for (int i = 0; i < 2_000; i++)
        {
            long roomId = random.NextInt64(1, 1L << random.Next(1, 62));
            string text = new('x', random.Next(1, ChatLimits.MaxTextBytes + 1));
            byte[] body = new byte[RoomChatRequest.GetBodyBytes(roomId, text.Length)];

            Encoding.ASCII.GetBytes(text, RoomChatRequest.WriteHead(body, roomId, text.Length));

            Assert.Equal(new CRoomChatReq { RoomId = roomId, Text = text }.ToByteArray(), body);
        }
    }

    private static SRoomChatNtf CreateRandom(Random random)
    {
        var message = new SRoomChatNtf
        {
            RoomId = Number(random),
            Sequence = Number(random),
            PreviousSequence = Number(random),
            PlayerId = Number(random),
            PlayerName = random.Next(2) == 0 ? string.Empty : "민수",
            Text = string.Concat(Enumerable.Repeat("안녕 👋 hello ", random.Next(0, 30))),
            SentAtUnixMs = Number(random),
            System = random.Next(2) == 0,
        };
        if (random.Next(4) == 0)
        {
            message.Left = new Member { PlayerId = Number(random), Name = "Ann" };
        }

        return message;
    }

    private static long Number(Random random) => random.Next(4) switch
    {
        0 => 0,
        1 => random.Next(200),
        2 => random.NextInt64(),
        _ => -random.NextInt64(),
    };

    private static SRoomChatNtf? Parse(byte[] bytes)
    {
        try
        {
            return SRoomChatNtf.Parser.ParseFrom(bytes);
        }
        catch (InvalidProtocolBufferException)
        {
            return null;
        }
    }

    private static void AssertSame(SRoomChatNtf expected, RoomChatNotification actual)
    {
        Assert.Equal(expected.RoomId, actual.RoomId);
        Assert.Equal(expected.Sequence, actual.Sequence);
        Assert.Equal(expected.PreviousSequence, actual.PreviousSequence);
        Assert.Equal(expected.PlayerId, actual.PlayerId);
        Assert.Equal(expected.System, actual.IsSystem);
        Assert.Equal(expected.Text, Encoding.UTF8.GetString(actual.Text));
    }
}
