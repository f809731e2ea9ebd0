using System.Security.Cryptography;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using PlayChat.Storage;

namespace PlayChat.Webhooks;

/// <summary>Messages of one room, as the body of a request.</summary>
internal sealed record MessageBatch(long Room, int Messages, byte[] Body)
{
    // Standard Webhooks asks for bodies below 20 KB. A single message may be larger.
    private const int MaxBytes = 20_000;
    private const int MaxMessages = 100;
    private const int BytesBesideText = 200; // of a message: names of members, numbers, time

    // The default encoder escapes every character outside ASCII, which doubles or triples most languages.
    private static readonly JsonSerializerOptions s_json = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    /// <summary>The header <c>webhook-id</c>. It follows from the content, so messages that the chat log passes again keep it.</summary>
    public string Id => "msg_" + Convert.ToHexString(SHA256.HashData(Body).AsSpan(0, 16));

    /// <summary>Makes bodies of records. Each has records of one room, in their order.</summary>
    public static IEnumerable<MessageBatch> Of(IEnumerable<ChatRecord> records)
    {
        foreach (IGrouping<long, ChatRecord> room in records.GroupBy(static record => record.RoomId))
        {
            List<ChatRecord> batch = [];
            int bytes = 0;
            foreach (ChatRecord record in room)
            {
                int more = BytesBesideText + Encoding.UTF8.GetByteCount(record.PlayerName) + Encoding.UTF8.GetByteCount(record.Text);
                if (batch.Count > 0 && (batch.Count == MaxMessages || bytes + more > MaxBytes))
                {
                    yield return Of(batch);
                    batch.Clear();
                    bytes = 0;
                }

                batch.Add(record);
                bytes += more;
            }

            yield return Of(batch);
        }
    }

    private static MessageBatch Of(List<ChatRecord> records)
    {
        ChatRecord last = records[^1];
        var content = new
        {
            Type = "chat.messages",
            Timestamp = last.SentAt,
            Data = new
            {
                last.RoomId,
                last.RoomName,
                Messages = records.Select(static record => new
                {
                    record.Sequence,
                    record.PlayerId,
                    record.PlayerName,
                    record.Text,
                    record.SentAt,
                    record.EditedAt,
                }),
            },
        };
        return new MessageBatch(last.RoomId, records.Count, JsonSerializer.SerializeToUtf8Bytes(content, s_json));
    }
}
