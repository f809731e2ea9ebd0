using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Framing;

/// <summary>What a sink kept of a frame. Equal when header and body bytes are.</summary>
internal sealed record ReceivedFrame(FrameHeader Header, string BodyHex)
{
    public static ReceivedFrame Of(FrameHeader header, ReadOnlySpan<byte> body) => new(header, Convert.ToHexString(body));
}
