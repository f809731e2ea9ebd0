using System.Buffers;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using PlayChat.Protocol;
using PlayChat.Protocol.Tests;
using PlayChat.TestUtilities;

namespace PlayChat.Protobuf.Tests;

public sealed class ProtobufPacketTests
{
    [Fact]
    public void What_was_encoded_is_decoded_again_wherever_the_segments_are_cut()
    {
        var random = new Random(20260101);
        foreach (CatalogEntry packet in PacketCatalog.Entries)
        {
            IMessage message = RandomMessage.Create(packet.Message, random);
            byte[] body = packet.Encode(message);

            Assert.Equal(message, packet.Decode(new ReadOnlySequence<byte>(body)));
            for (int pieceBytes = 1; pieceBytes < body.Length; pieceBytes++)
            {
                Assert.Equal(message, packet.Decode(SegmentedBytes.Cut(body, pieceBytes)));
            }
        }
    }

    [Fact]
    public void An_empty_body_is_a_message_with_nothing_set()
    {
        foreach (CatalogEntry packet in PacketCatalog.Entries)
        {
            IMessage? message = packet.Decode(ReadOnlySequence<byte>.Empty);

            Assert.NotNull(message);
            Assert.Equal(0, message.CalculateSize());
        }
    }

    [Fact]
    public void Unknown_fields_are_no_fault_and_are_not_kept()
    {
        // Field 1000, a number: what a newer peer might send.
        byte[] body = [0x0a, 0x02, 0x68, 0x69, 0xc0, 0x3e, 0x01];
        CatalogEntry packet = PacketCatalog.Entries.Single(entry => entry.Id == (ushort)PacketId.CEchoReq);

        var message = Assert.IsType<CEchoReq>(packet.Decode(new ReadOnlySequence<byte>(body)));

        Assert.Equal(new CEchoReq { Payload = ByteString.CopyFromUtf8("hi") }, message);
    }

    [Fact]
    public void A_cut_off_message_is_refused()
    {
        byte[] body = [0x0a, 0x05, 0x68, 0x69];
        foreach (CatalogEntry packet in PacketCatalog.Entries)
        {
            Assert.Null(packet.Decode(new ReadOnlySequence<byte>(body)));
        }
    }

    [Fact]
    public void Garbage_never_throws()
    {
        var random = new Random(20260102);
        int refused = 0;
        for (int round = 0; round < 2_000; round++)
        {
            byte[] garbage = new byte[random.Next(1, 200)];
            random.NextBytes(garbage);
            ReadOnlySequence<byte> body = round % 2 == 0
                ? new ReadOnlySequence<byte>(garbage) : SegmentedBytes.Cut(garbage, random.Next(1, 20));
            CatalogEntry packet = PacketCatalog.Entries[round % PacketCatalog.Entries.Count];

            refused += packet.Decode(body) is null ? 1 : 0;
        }

        Assert.NotEqual(0, refused);
    }

    [Fact]
    public void A_message_with_flipped_bits_never_throws()
    {
        var random = new Random(20260103);
        foreach (CatalogEntry packet in PacketCatalog.Entries)
        {
            for (int round = 0; round < 100; round++)
            {
                byte[] body = packet.Encode(RandomMessage.Create(packet.Message, random));
                if (body.Length > 0)
                {
                    body[random.Next(body.Length)] ^= (byte)(1 << random.Next(8));
                }

                packet.Decode(SegmentedBytes.Cut(body, random.Next(1, 20)));
            }
        }
    }
}
