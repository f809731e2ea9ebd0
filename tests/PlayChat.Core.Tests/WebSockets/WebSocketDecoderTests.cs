using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Tests.WebSockets;

public sealed class WebSocketDecoderTests
{
    private static readonly byte[] s_mask = [9, 8, 7, 6];

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(125)]
    [InlineData(126)]
    [InlineData(65_535)]
    [InlineData(65_536)]
    public void A_message_of_every_form_of_length_is_decoded(int length)
    {
        byte[] payload = Bytes(length);

        DecodedStream stream = DecodedStream.Of([ClientFrames.Of(WebSocketOpcode.Binary, payload)]);

        Assert.Equal(payload, stream.ToArray());
        Assert.Equal(WebSocketFault.None, stream.Fault);
    }

    [Fact]
    public void A_stream_may_be_cut_at_any_two_places()
    {
        byte[] whole =
        [
            .. ClientFrames.Of(WebSocketOpcode.Binary, [1, 2, 3], isFinal: false),
            .. ClientFrames.Of(WebSocketOpcode.Ping, [70, 71]),
            .. ClientFrames.Of(WebSocketOpcode.Continuation, [], isFinal: false),
            .. ClientFrames.Of(WebSocketOpcode.Pong, [1]),
            .. ClientFrames.Of(WebSocketOpcode.Continuation, [4, 5]),
            .. ClientFrames.Of(WebSocketOpcode.Binary, Bytes(130)),
            .. ClientFrames.Of(WebSocketOpcode.Close, [0x03, 0xE8, (byte)'x']),
            .. Bytes(9), // not read any more
        ];
        byte[] expected = [1, 2, 3, 4, 5, .. Bytes(130)];
        for (int first = 0; first <= whole.Length; first++)
        {
            for (int second = first; second <= whole.Length; second++)
            {
                DecodedStream stream = DecodedStream.Of([whole[..first], whole[first..second], whole[second..]]);

                Assert.Equal(expected, stream.ToArray());
                Assert.Equal(["4647"], stream.Pings);
                Assert.Equal(WebSocketFault.None, stream.Fault);
                Assert.Equal((true, 1000), (stream.IsClosed, stream.CloseCode));
            }
        }
    }

    [Fact]
    public void A_length_in_8_bytes_may_come_byte_by_byte()
    {
        byte[] payload = Bytes(70_000);

        DecodedStream stream = DecodedStream.Of(
            ClientFrames.Of(WebSocketOpcode.Binary, payload).Select(static b => new[] { b }));

        Assert.Equal(payload, stream.ToArray());
    }

    [Fact]
    public void Of_several_pings_the_newest_is_answered()
    {
        DecodedStream stream = DecodedStream.Of(
            [[.. ClientFrames.Of(WebSocketOpcode.Ping, [1]), .. ClientFrames.Of(WebSocketOpcode.Ping, [2, 3])]]);

        Assert.Equal(["0203"], stream.Pings);
    }

    [Fact]
    public void A_ping_is_kept_while_the_next_one_is_cut()
    {
        byte[] second = ClientFrames.Of(WebSocketOpcode.Ping, [9, 9, 9]);

        DecodedStream stream = DecodedStream.Of(
            [[.. ClientFrames.Of(WebSocketOpcode.Ping, [1, 2, 3]), .. second[..8]], second[8..]]);

        Assert.Equal(["010203", "090909"], stream.Pings);
    }

    public static TheoryData<string, byte[], string> Violations()
    {
        byte[] mask = s_mask;
        byte[] start = ClientFrames.Of(WebSocketOpcode.Binary, [1], isFinal: false);
        return new TheoryData<string, byte[], string>
        {
            { "not masked", [0x82, 0x01, 7], nameof(WebSocketFault.NotMasked) },
            { "first reserved bit", ClientFrames.Of(0xC2, [1], [1], mask), nameof(WebSocketFault.ReservedBits) },
            { "second reserved bit", ClientFrames.Of(0xA2, [1], [1], mask), nameof(WebSocketFault.ReservedBits) },
            { "third reserved bit", ClientFrames.Of(0x92, [1], [1], mask), nameof(WebSocketFault.ReservedBits) },
            { "opcode 3", ClientFrames.Of(0x83, [1], [1], mask), nameof(WebSocketFault.UnknownOpcode) },
            { "opcode 7", ClientFrames.Of(0x87, [1], [1], mask), nameof(WebSocketFault.UnknownOpcode) },
            { "opcode 11", ClientFrames.Of(0x8B, [1], [1], mask), nameof(WebSocketFault.UnknownOpcode) },
            { "opcode 15", ClientFrames.Of(0x8F, [1], [1], mask), nameof(WebSocketFault.UnknownOpcode) },
            { "ping of 126 bytes", ClientFrames.Of(WebSocketOpcode.Ping, new byte[126]), nameof(WebSocketFault.ControlTooLong) },
            { "ping in fragments", ClientFrames.Of(WebSocketOpcode.Ping, [1], isFinal: false), nameof(WebSocketFault.ControlFragmented) },
            { "close in fragments", ClientFrames.Of(WebSocketOpcode.Close, [], isFinal: false), nameof(WebSocketFault.ControlFragmented) },
            {
                "125 in 2 bytes", ClientFrames.Of(0x82, Bytes(125), ClientFrames.LengthIn(3, 125), mask),
                nameof(WebSocketFault.LengthNotMinimal)
            },
            {
                "65535 in 8 bytes", ClientFrames.Of(0x82, [], ClientFrames.LengthIn(9, 65_535), mask),
                nameof(WebSocketFault.LengthNotMinimal)
            },
            { "negative length", ClientFrames.Of(0x82, [], ClientFrames.LengthIn(9, -1), mask), nameof(WebSocketFault.LengthTooLarge) },
            {
                "a message over the limit", ClientFrames.Of(0x82, [], ClientFrames.LengthIn(9, long.MaxValue), mask),
                nameof(WebSocketFault.MessageTooLarge)
            },
            {
                "one byte over the limit", ClientFrames.Of(0x82, [], ClientFrames.LengthOf(100_001), mask),
                nameof(WebSocketFault.MessageTooLarge)
            },
            {
                "fragments over the limit",
                [.. start, .. ClientFrames.Of(0x80, [], ClientFrames.LengthOf(100_000), mask)],
                nameof(WebSocketFault.MessageTooLarge)
            },
            { "a continuation of nothing", ClientFrames.Of(WebSocketOpcode.Continuation, [1]), nameof(WebSocketFault.NothingToContinue) },
            {
                "a continuation behind the end",
                [.. start, .. ClientFrames.Of(WebSocketOpcode.Continuation, [1]), .. ClientFrames.Of(WebSocketOpcode.Continuation, [1])],
                nameof(WebSocketFault.NothingToContinue)
            },
            {
                "a message in a message", [.. start, .. ClientFrames.Of(WebSocketOpcode.Binary, [1])],
                nameof(WebSocketFault.MessageNotFinished)
            },
            { "text", ClientFrames.Of(WebSocketOpcode.Text, [(byte)'a']), nameof(WebSocketFault.TextMessage) },
            { "a close code of one byte", ClientFrames.Of(WebSocketOpcode.Close, [3]), nameof(WebSocketFault.BadClosePayload) },
            { "close code 999", ClientFrames.Of(WebSocketOpcode.Close, [0x03, 0xE7]), nameof(WebSocketFault.BadClosePayload) },
            { "close code 1005", ClientFrames.Of(WebSocketOpcode.Close, [0x03, 0xED]), nameof(WebSocketFault.BadClosePayload) },
            { "close code 2999", ClientFrames.Of(WebSocketOpcode.Close, [0x0B, 0xB7]), nameof(WebSocketFault.BadClosePayload) },
            { "close code 5000", ClientFrames.Of(WebSocketOpcode.Close, [0x13, 0x88]), nameof(WebSocketFault.BadClosePayload) },
            {
                "a close text that is no UTF-8",
                ClientFrames.Of(WebSocketOpcode.Close, [0x03, 0xE8, 0xC3, 0x28]),
                nameof(WebSocketFault.CloseReasonNotUtf8)
            },
        };
    }

    [Theory]
    [MemberData(nameof(Violations))]
    public void A_broken_rule_ends_the_stream_wherever_it_is_cut(string what, byte[] bad, string fault)
    {
        _ = what;
        byte[] whole = [.. ClientFrames.Of(WebSocketOpcode.Binary, [42]), .. bad, .. Bytes(20)];
        for (int cut = 0; cut <= whole.Length; cut++)
        {
            DecodedStream stream = DecodedStream.Of([whole[..cut], whole[cut..]], maxMessageBytes: 100_000);

            Assert.Equal(fault, stream.Fault.ToString());
            Assert.Equal(42, stream.Payload[0]);
            Assert.False(stream.IsClosed);
        }
    }

    [Fact]
    public void A_length_is_judged_before_the_mask_has_come()
    {
        byte[] header = [0x82, 0xFF, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF];

        Assert.Equal(WebSocketFault.MessageTooLarge, DecodedStream.Of([header]).Fault);
    }

    [Theory]
    [InlineData(1000)]
    [InlineData(1003)]
    [InlineData(1007)]
    [InlineData(1014)]
    [InlineData(3000)]
    [InlineData(4999)]
    public void A_close_frame_of_every_allowed_code_is_taken(int code)
    {
        DecodedStream stream = DecodedStream.Of(
            [ClientFrames.Of(WebSocketOpcode.Close, [(byte)(code >> 8), (byte)code, .. "tschüß"u8])]);

        Assert.Equal((WebSocketFault.None, true, code), (stream.Fault, stream.IsClosed, stream.CloseCode));
    }

    [Fact]
    public void A_close_frame_may_be_empty()
    {
        DecodedStream stream = DecodedStream.Of([ClientFrames.Of(WebSocketOpcode.Close, [])]);

        Assert.Equal((WebSocketFault.None, true, 0), (stream.Fault, stream.IsClosed, stream.CloseCode));
    }

    [Fact]
    public void A_decoder_that_stops_at_the_end_of_messages_tells_each_end()
    {
        byte[] bytes =
        [
            .. ClientFrames.Of(WebSocketOpcode.Text, "ab"u8.ToArray(), isFinal: false),
            .. ClientFrames.Of(WebSocketOpcode.Continuation, "c"u8.ToArray()),
            .. ClientFrames.Of(WebSocketOpcode.Text, []),
            .. ClientFrames.Of(WebSocketOpcode.Text, "d"u8.ToArray()),
        ];
        var decoder = new WebSocketDecoder(WebSocketOpcode.Text, 10, stopsAtMessageEnd: true);
        List<string> messages = [];
        for (int at = 0; at < bytes.Length;)
        {
            int payload = decoder.Decode(bytes.AsSpan(at), out int consumed);
            Assert.True(decoder.EndsMessage);
            messages.Add(System.Text.Encoding.ASCII.GetString(bytes, at, payload));
            at += consumed;
        }

        Assert.Equal(["abc", "", "d"], messages);
    }

    [Fact]
    public void Random_streams_are_decoded_as_a_plain_decoder_does()
    {
        for (int seed = 0; seed < 3000; seed++)
        {
            var random = new Random(seed);
            byte[] stream = RandomStream(random);
            DecodedStream expected = ReferenceDecoder.Decode(stream, maxMessageBytes: 400);

            DecodedStream actual = DecodedStream.Of(Cut(stream, random), maxMessageBytes: 400);

            Assert.True(
                expected.ToArray().AsSpan().SequenceEqual(actual.ToArray())
                    && expected.Fault == actual.Fault
                    && (expected.IsClosed, expected.CloseCode) == (actual.IsClosed, actual.CloseCode),
                $"Seed {seed}: {expected.Fault} and {expected.Payload.Count} bytes expected, "
                    + $"{actual.Fault} and {actual.Payload.Count} bytes found.");
        }
    }

    private static byte[] RandomStream(Random random)
    {
        List<byte> stream = [];
        bool inMessage = false;
        int frames = random.Next(1, 12);
        for (int i = 0; i < frames; i++)
        {
            bool isControl = random.Next(3) == 0;
            bool isFinal = isControl || random.Next(2) == 0;
            WebSocketOpcode opcode = isControl ? random.Next(2) == 0 ? WebSocketOpcode.Ping : WebSocketOpcode.Pong
                : inMessage ? WebSocketOpcode.Continuation
                : WebSocketOpcode.Binary;
            inMessage = isControl ? inMessage : !isFinal;
            byte[] mask = new byte[4];
            random.NextBytes(mask);
            byte[] payload = new byte[random.Next(isControl ? 126 : 150)];
            random.NextBytes(payload);
            stream.AddRange(ClientFrames.Of(opcode, payload, isFinal, mask));
        }

        if (random.Next(3) == 0)
        {
            stream.AddRange(ClientFrames.Of(WebSocketOpcode.Close, [0x0F, 0xA8]));
        }

        byte[] bytes = [.. stream];
        if (random.Next(2) == 0)
        {
            bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8)); // mostly a fault, sometimes another payload
        }

        return bytes;
    }

    private static IEnumerable<byte[]> Cut(byte[] stream, Random random)
    {
        for (int at = 0; at < stream.Length;)
        {
            int length = Math.Min(stream.Length - at, random.Next(random.Next(2) == 0 ? 4 : 300));
            yield return stream[at..(at + length)];
            at += length;
        }
    }

    private static byte[] Bytes(int length)
    {
        byte[] bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        return bytes;
    }
}
