using Google.Protobuf;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>A message's bytes.</summary>
internal static class Payload
{
    public static byte[] Of(IMessage message) => message.ToByteArray();
}
