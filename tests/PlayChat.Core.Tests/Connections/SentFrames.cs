using System.Buffers;
using System.Text;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

/// <summary>What a stub link was sent, as texts of one character a byte.</summary>
internal static class SentFrames
{
    internal static List<string> Read(byte[] bytes)
    {
        List<string> bodies = [];
        (long consumed, _) = FrameScan.ReadAll(
            FrameFormat.LengthPrefixed(), new ReadOnlySequence<byte>(bytes), (in Frame frame) => bodies.Add(
                Encoding.Latin1.GetString(frame.ToArray())));
        Assert.Equal(bytes.Length, consumed);
        return bodies;
    }
}
