using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Connections;

public sealed class BadFrameTextTests
{
    [Theory]
    [InlineData("GET / HTTP/1.1\r\n", "It looks like an HTTP request: ")]
    [InlineData("POST /login HTTP", "It looks like an HTTP request: ")]
    [InlineData("\u0016\u0003\u0001\u0002\0\u0001\0", "It looks like a TLS handshake: ")]
    [InlineData("PROXY TCP4 192.0", "It looks like a PROXY protocol header: ")]
    [InlineData("\r\n\r\n\0\r\nQUIT\n!!!!", "It looks like a PROXY protocol header: ")]
    [InlineData("SSH-2.0-OpenSSH", "It looks like an SSH client.")]
    [InlineData("\0\u0001\u0086\u00a4\0\u0007\0\0", "Its length is 100004 bytes, and the largest is 65536: raise maxFrameBytes")]
    [InlineData("\u0014\0\0\0\u0007\0\0\0", "In little-endian order it would be 20: check the byte order")]
    [InlineData("\0\0\0\u0003abc", "Its length is 3 bytes, and the least is 4.")]
    public void A_packet_that_is_none_is_explained(string start, string expected)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(start);
        CloseReason reason = start[0] == '\0' && start[1] == '\0' ? CloseReason.ProtocolViolation : CloseReason.FrameTooLarge;

        string text = BadFrameText.Describe(FrameFormat.Packet(), reason, bytes);

        Assert.Contains(expected, text, StringComparison.Ordinal);
        Assert.EndsWith($"First bytes: {Convert.ToHexString(bytes, 0, Math.Min(8, bytes.Length))}.", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Each_format_reads_its_own_length()
    {
        Assert.Contains("Its length is 300 bytes, and the largest is 100", Of(FrameFormat.LengthPrefixed(100), 0, 0, 1, 44));
        Assert.Contains("Its length is 300 bytes", Of(FrameFormat.LengthPrefixed(100, littleEndian: true), 44, 1, 0, 0));
        Assert.Contains("Its length is 300 bytes", Of(FrameFormat.LengthPrefixed(100, prefixBytes: 2), 1, 44));
        Assert.Contains("In big-endian order it would be 1:", Of(FrameFormat.LengthPrefixed(100, 2, littleEndian: true), 0, 1));
        Assert.Contains("The frame is longer than 100 bytes", Of(FrameFormat.Line(100), 65, 66));
    }

    private static string Of(FrameFormat format, params byte[] start) =>
        BadFrameText.Describe(format, CloseReason.FrameTooLarge, start);
}
