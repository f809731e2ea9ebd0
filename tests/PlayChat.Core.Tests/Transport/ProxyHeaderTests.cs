using System.Buffers.Binary;
using System.Net;
using System.Text;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Transport;

public sealed class ProxyHeaderTests
{
    private const string Signature = "0D0A0D0A000D0A515549540A";

    [Theory]
    [InlineData("2111000C C0000201 CB007107 9C40 1E61", "192.0.2.1:40000")]
    [InlineData("21110010 C0000201 CB007107 9C40 1E61 04000100", "192.0.2.1:40000")] // with an additional field
    [InlineData("21210024 20010DB8000000000000000000000001 20010DB8000000000000000000000002 9C40 1E61", "[2001:db8::1]:40000")]
    [InlineData("20000000", null)] // LOCAL
    [InlineData("2011000C C0000201 CB007107 9C40 1E61", null)] // LOCAL, with addresses that do not count
    [InlineData("21000000", null)] // PROXY, without a known family
    [InlineData("21000003 010203", null)]
    public void A_binary_header_names_the_client_or_none(string rest, string? client) =>
        Assert.Equal(client, Parse(Hex(Signature + rest))?.ToString());

    [Theory]
    [InlineData("PROXY TCP4 192.0.2.1 203.0.113.7 40000 7777\r\n", "192.0.2.1:40000")]
    [InlineData("PROXY TCP6 2001:db8::1 2001:db8::2 65535 1\r\n", "[2001:db8::1]:65535")]
    [InlineData("PROXY UNKNOWN\r\n", null)]
    [InlineData("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n", null)]
    public void A_line_names_the_client_or_none(string line, string? client) =>
        Assert.Equal(client, Parse(Encoding.ASCII.GetBytes(line))?.ToString());

    [Theory]
    [InlineData("1111000C C0000201 CB007107 9C40 1E61")] // version 1 in binary
    [InlineData("2211000C C0000201 CB007107 9C40 1E61")] // an unknown command
    [InlineData("2112000C C0000201 CB007107 9C40 1E61")] // UDP
    [InlineData("2111000B C0000201 CB007107 9C40 1E")] // too short for its family
    [InlineData("21210023 20010DB8000000000000000000000001 20010DB8000000000000000000000002 9C40 1E")]
    [InlineData("2141000C C0000201 CB007107 9C40 1E61")] // no such family
    [InlineData("21111000")] // longer than is read
    public void A_binary_header_that_breaks_the_rules_is_malformed(string rest) => AssertMalformed(Hex(Signature + rest));

    [Theory]
    [InlineData("PROXY TCP4 192.0.2.1 203.0.113.7 40000 7777\n")]
    [InlineData("PROXY TCP4 192.0.2.1 203.0.113.7 40000\r\n")]
    [InlineData("PROXY TCP4 192.0.2.1 203.0.113.7 40000 7777 \r\n")]
    [InlineData("PROXY TCP4  192.0.2.1 203.0.113.7 40000 7777\r\n")]
    [InlineData("PROXY TCP4 192.0.2 203.0.113.7 40000 7777\r\n")]
    [InlineData("PROXY TCP4 0xC0.0.2.1 203.0.113.7 40000 7777\r\n")]
    [InlineData("PROXY TCP4 2001:db8::1 203.0.113.7 40000 7777\r\n")]
    [InlineData("PROXY TCP6 192.0.2.1 203.0.113.7 40000 7777\r\n")]
    [InlineData("PROXY TCP6 [2001:db8::1] 2001:db8::2 40000 7777\r\n")]
    [InlineData("PROXY TCP4 192.0.2.1 203.0.113.7 65536 7777\r\n")]
    [InlineData("PROXY TCP4 192.0.2.1 203.0.113.7 -1 7777\r\n")]
    [InlineData("PROXY TCP9 192.0.2.1 203.0.113.7 40000 7777\r\n")]
    [InlineData("GET / HTTP/1.1\r\n")]
    public void A_line_that_breaks_the_rules_is_malformed(string line) => AssertMalformed(Encoding.ASCII.GetBytes(line));

    [Fact]
    public void A_line_without_an_end_is_malformed_after_107_bytes()
    {
        byte[] line = Encoding.ASCII.GetBytes("PROXY UNKNOWN " + new string('x', 200));

        Assert.Equal(107, ProxyHeader.GetBytesNeeded(line.AsSpan(0, 106)));
        Assert.Equal(-1, ProxyHeader.GetBytesNeeded(line.AsSpan(0, 107)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(4096)]
    public async Task A_header_is_read_from_pieces_of_any_size_and_the_bytes_behind_it_stay(int piece)
    {
        byte[][] headers =
        [
            Hex(Signature + "21110010 C0000201 CB007107 9C40 1E61 04000100"),
            "PROXY TCP4 192.0.2.1 203.0.113.7 40000 7777\r\n"u8.ToArray(),
            Padded(4096),
        ];
        foreach (byte[] header in headers)
        {
            using var link = new StubLink();
            byte[] sent = [.. header, 1, 2, 3];
            foreach (byte[] part in sent.Chunk(piece))
            {
                link.Feed(part);
            }

            TransportConnection? accepted = await ProxiedConnection.AcceptAsync(link).WaitAsync(TestTimeouts.Hang);

            Assert.Equal("192.0.2.1:40000", accepted?.RemoteEndPoint?.ToString());
            byte[] rest = new byte[10];
            int received = 0;
            while (received < 3)
            {
                received += await accepted!.ReceiveAsync(rest.AsMemory(received));
            }

            Assert.Equal([1, 2, 3], rest[..received]);
        }
    }

    [Fact]
    public async Task A_link_that_ends_within_the_header_is_none()
    {
        byte[] header = Hex(Signature + "2111000C C0000201 CB007107 9C40 1E61");
        for (int length = 0; length < header.Length; length++)
        {
            using var link = new StubLink();
            link.Feed(header.AsMemory(0, length));
            link.FeedEnd();

            Assert.Null(await ProxiedConnection.AcceptAsync(link).WaitAsync(TestTimeouts.Hang));
        }
    }

    [Fact]
    public void Random_headers_are_read_in_bounded_steps_and_never_throw()
    {
        var random = new Random(11);
        byte[][] seeds =
        [
            Hex(Signature + "2111000C C0000201 CB007107 9C40 1E61"),
            Hex(Signature + "21210024 20010DB8000000000000000000000001 20010DB8000000000000000000000002 9C40 1E61"),
            "PROXY TCP4 192.0.2.1 203.0.113.7 40000 7777\r\n"u8.ToArray(),
            "PROXY TCP6 2001:db8::1 2001:db8::2 65535 1\r\n"u8.ToArray(),
        ];
        int complete = 0;
        for (int i = 0; i < 20_000; i++)
        {
            byte[] input = new byte[ProxyHeader.MaxBytes];
            random.NextBytes(input);
            seeds[i % seeds.Length].CopyTo(input, 0);
            for (int changes = random.Next(4); changes > 0; changes--)
            {
                input[random.Next(64)] = (byte)random.Next(256);
            }

            int read = 0;
            int needed = ProxyHeader.GetBytesNeeded([]);
            while (needed > read)
            {
                Assert.InRange(needed, read + 1, ProxyHeader.MaxBytes);
                read = needed;
                needed = ProxyHeader.GetBytesNeeded(input.AsSpan(0, read));
            }

            bool isValid = ProxyHeader.TryParse(input.AsSpan(0, read), out IPEndPoint? client);
            Assert.False(needed < 0 && isValid);
            complete += isValid && client is not null ? 1 : 0;
        }

        Assert.InRange(complete, 1000, 19_999); // both kinds occur
    }

    private static IPEndPoint? Parse(byte[] header)
    {
        Assert.Equal(header.Length, ProxyHeader.GetBytesNeeded(header));
        Assert.True(ProxyHeader.TryParse(header, out IPEndPoint? client));
        return client;
    }

    private static void AssertMalformed(byte[] header) => Assert.False(ProxyHeader.TryParse(header, out _));

    /// <summary>A header with fields that fill it up.</summary>
    private static byte[] Padded(int bytes)
    {
        byte[] header = new byte[bytes];
        Hex(Signature + "2111000C C0000201 CB007107 9C40 1E61").CopyTo(header, 0);
        BinaryPrimitives.WriteUInt16BigEndian(header.AsSpan(14), (ushort)(bytes - 16));
        return header;
    }

    private static byte[] Hex(string text) => Convert.FromHexString(text.Replace(" ", "", StringComparison.Ordinal));
}
