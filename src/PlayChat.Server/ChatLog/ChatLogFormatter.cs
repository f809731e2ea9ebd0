using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using PlayChat.Storage;
using Serilog.Events;
using Serilog.Formatting;

namespace PlayChat.Server.ChatLog;

/// <summary>Writes a batch of records as one JSON object a line: whatever a message holds, it cannot break out of its line.</summary>
internal sealed class ChatLogFormatter : ITextFormatter
{
    /// <summary>The property of the event that holds the batch.</summary>
    public const string BatchProperty = "Batch";

    // For people to read: other scripts stay as they are. Control characters are escaped all the same.
    private static readonly JsonWriterOptions s_options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <inheritdoc/>
    public void Format(LogEvent logEvent, TextWriter output)
    {
        var records = (IReadOnlyList<ChatRecord>)((ScalarValue)logEvent.Properties[BatchProperty]).Value!;
        var buffer = new ArrayBufferWriter<byte>(256 * records.Count);
        using var writer = new Utf8JsonWriter(buffer, s_options);
        foreach (ChatRecord record in records)
        {
            Write(writer, in record);
            writer.Flush();
            writer.Reset();
            buffer.Write("\n"u8);
        }

        output.Write(Encoding.UTF8.GetString(buffer.WrittenSpan));
    }

    private static void Write(Utf8JsonWriter writer, in ChatRecord record)
    {
        writer.WriteStartObject();
        writer.WriteString("sent_at", record.SentAt.UtcDateTime);
        writer.WriteNumber("room_id", record.RoomId);
        writer.WriteString("room", record.RoomName);
        writer.WriteNumber("sequence", record.Sequence);
        writer.WriteNumber("player_id", record.PlayerId);
        writer.WriteString("player", record.PlayerName);
        writer.WriteString("text", record.Text);
        writer.WriteEndObject();
    }
}
