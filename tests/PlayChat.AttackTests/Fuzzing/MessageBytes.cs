using System.Text.Json;
using System.Text.Json.Serialization;
using Google.Protobuf;

namespace PlayChat.AttackTests.Fuzzing;

/// <summary>What a message holds, as bytes to compare.</summary>
internal static class MessageBytes
{
    private static readonly JsonSerializerOptions s_json = new() { NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals };

    public static byte[] Of(object? message) => message switch
    {
        null => [0xFF], // neither of the others
        IMessage protobuf => protobuf.ToByteArray(),
        _ => JsonSerializer.SerializeToUtf8Bytes(message, message.GetType(), s_json),
    };
}
