using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace PlayChat.Protobuf;

/// <summary>The JSON form of protobuf messages, as protobuf defines it: https://protobuf.dev/programming-guides/json/.</summary>
internal static class ProtobufJson
{
    // Fields that are not known are refused, because a person who writes JSON by hand wants to hear of a misspelled name.
    private static readonly JsonParser s_parser = new(JsonParser.Settings.Default.WithIgnoreUnknownFields(false));

    private static readonly JsonFormatter s_formatter = new(JsonFormatter.Settings.Default);

    /// <summary>Writes a body as JSON.</summary>
    /// <returns><see langword="false"/> when it is no such message, or one without a JSON form.</returns>
    internal static bool TryWrite(MessageParser parser, ReadOnlySpan<byte> body, IBufferWriter<byte> json)
    {
        try
        {
            Encoding.UTF8.GetBytes(s_formatter.Format(parser.ParseFrom(body)), json);
            return true;
        }
        catch (Exception e) when (e is InvalidProtocolBufferException or InvalidOperationException or ArgumentException)
        {
            // What a peer sent is data. By the last two the formatter reports a valid message that has no JSON form: a time out of range, a
            // Value without a kind, an Any of a type that it does not know.
            return false;
        }
    }

    /// <summary>Reads a body from JSON.</summary>
    internal static bool TryRead(
        MessageDescriptor descriptor, ReadOnlySpan<byte> json, IBufferWriter<byte> body, [NotNullWhen(false)] out string? problem)
    {
        try
        {
            body.Write(s_parser.Parse(Encoding.UTF8.GetString(json), descriptor).ToByteArray());
            problem = null;
            return true;
        }
        catch (Exception e) when (e is InvalidJsonException or InvalidProtocolBufferException or FormatException or OverflowException
            or ArgumentException or InvalidOperationException)
        {
            // What a peer sent is data; the parser reports what it does not take by these exceptions.
            problem = e.Message;
            return false;
        }
    }
}
