using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Serilog.Events;
using Serilog.Formatting;

namespace PlayChat.Chat.ChatLog;

/// <summary>Writes a batch of records as one JSON object a line: whatever a message holds, it cannot break out of its line.</summary>
/// <remarks>
/// Not thread-safe; the file calls it under its lock. A line at a time through buffers that are kept: a batch in one string is a
/// large object, and some of these a second were what the garbage collector ran its full collections for.
/// </remarks>
[SuppressMessage("Design", "CA1001", Justification = "The JSON writer owns nothing but its buffer.")]
internal sealed class ChatLogFormatter : ITextFormatter
{
    /// <summary>The property of the event that holds the batch.</summary>
    public const string BatchProperty = "Batch";

    // A usual message; the buffers grow to the longest line.
    private const int InitialLineBytes = 1024;

    // For people to read: other scripts stay as they are. Control characters are escaped all the same.
    private static readonly JsonWriterOptions s_options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly ArrayBufferWriter<byte> _line = new(InitialLineBytes);
    private readonly Utf8JsonWriter _json;
    private char[] _chars = new char[InitialLineBytes];

    public ChatLogFormatter()
    {
        _json = new Utf8JsonWriter(_line, s_options);
    }

    public void Format(LogEvent logEvent, TextWriter output)
    {
        var records = (IReadOnlyList<ChatRecord>)((ScalarValue)logEvent.Properties[BatchProperty]).Value!;
        for (int i = 0; i < records.Count; i++)
        {
            ChatRecord record = records[i];
            _line.ResetWrittenCount();
            _json.Reset(); // what an earlier call could not finish is forgotten
            Write(_json, in record);
            _json.Flush();
            _line.Write("\n"u8);
            if (_chars.Length < _line.WrittenCount)
            {
                _chars = new char[_line.WrittenCount];
            }

            output.Write(_chars, 0, Encoding.UTF8.GetChars(_line.WrittenSpan, _chars));
        }
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
        if (record.EditedAt is { } editedAt)
        {
            writer.WriteString("edited_at", editedAt.UtcDateTime);
        }

        writer.WriteEndObject();
    }
}
