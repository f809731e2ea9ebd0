using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Text.Unicode;

namespace PlayChat.Core.Packets;

/// <summary>A kind of packet whose body is JSON in UTF-8.</summary>
internal sealed class JsonPacket<TMessage>(ushort id, string name, JsonTypeInfo<TMessage> type) : PacketType<TMessage>(id, name)
{
    private readonly JsonReaderOptions _reading = new()
    {
        AllowTrailingCommas = type.Options.AllowTrailingCommas,
        CommentHandling = type.Options.ReadCommentHandling,
        MaxDepth = type.Options.MaxDepth,
    };

    private const int MaxKeptBytes = 64 * 1024;

    [ThreadStatic]
    private static ArrayBufferWriter<byte>? s_written;

    public override bool TryDecode(in Frame frame, [MaybeNullWhen(false)] out TMessage message)
    {
        try
        {
            message = Read(in frame, out bool isWhole);
            return message is not null && isWhole;
        }
        catch (Exception e) when (e is JsonException or NotSupportedException)
        {
            // What a peer sent is data. The reader reports a body that is no such message only by these exceptions; the second one is for
            // an abstract message without its discriminator.
            message = default;
            return false;
        }
    }

    public override string? DescribeProblem(in Frame frame)
    {
        try
        {
            return Read(in frame, out _) is null
                ? "The JSON value is null."
                : "Something follows the JSON value.";
        }
        catch (Exception e) when (e is JsonException or NotSupportedException)
        {
            return e.Message;
        }
    }

    /// <exception cref="JsonException">The body is not JSON, or not the message.</exception>
    /// <exception cref="NotSupportedException">The message is abstract, and the body does not say which kind it is.</exception>
    private TMessage? Read(in Frame frame, out bool isWhole)
    {
        // In several segments, Utf8JsonReader may throw IndexOutOfRangeException for a literal that is cut off, such as "fals":
        // https://github.com/dotnet/runtime/pull/134448. A body is in several segments only where the receive buffer is.
        ReadOnlySpan<byte> body = frame.TryGetSpan(out ReadOnlySpan<byte> whole) ? whole : frame.ToArray();
        var reader = new Utf8JsonReader(body, _reading);
        TMessage? message = JsonSerializer.Deserialize(ref reader, type);
        isWhole = !reader.Read();
        return message;
    }

    public override int GetBodyBytes(TMessage message) => Write(message).WrittenCount;

    // GetBodyBytes was called just before, mostly on this thread and for this message; no caller promises that, so the message is written
    // again.
    public override void Encode(TMessage message, Span<byte> destination) => Write(message).WrittenSpan.CopyTo(destination);

    public override bool TryWriteJson(ReadOnlySpan<byte> body, IBufferWriter<byte> json)
    {
        // The body may be what a peer sent and nothing has read. Inside another JSON text it must be one value: "1,\"type\":…" would name
        // another packet.
        if (!Utf8.IsValid(body))
        {
            return false;
        }

        try
        {
            var reader = new Utf8JsonReader(body, new JsonReaderOptions { MaxDepth = type.Options.MaxDepth });
            while (reader.Read())
            {
                // to the end
            }
        }
        catch (JsonException)
        {
            return false; // also for no value, and for a second one
        }

        json.Write(body);
        return true;
    }

    // The router reads the message itself, and answers for one that is none.
    public override bool TryReadJson(ReadOnlySpan<byte> json, IBufferWriter<byte> body, [NotNullWhen(false)] out string? problem)
    {
        problem = null;
        body.Write(json);
        return true;
    }

    private ArrayBufferWriter<byte> Write(TMessage message)
    {
        ArrayBufferWriter<byte> written = s_written ??= new ArrayBufferWriter<byte>();
        written.ResetWrittenCount();
        var options = new JsonWriterOptions { Encoder = type.Options.Encoder, Indented = type.Options.WriteIndented };
        using (var writer = new Utf8JsonWriter(written, options))
        {
            JsonSerializer.Serialize(writer, message, type);
        }

        if (written.Capacity > MaxKeptBytes)
        {
            s_written = null; // one large message must not occupy its size on each thread until the process ends
        }

        return written;
    }
}
