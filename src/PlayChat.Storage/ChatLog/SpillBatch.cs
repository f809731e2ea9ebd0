using System.Security.Cryptography;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace PlayChat.Storage.ChatLog;

/// <summary>A row of the spill file: the records of one batch as JSON, and the SHA-256 of that JSON.</summary>
/// <param name="Id">The batch's place in the order; ascending.</param>
/// <param name="Content">The records.</param>
/// <param name="Hash">SQLite does not notice a changed byte inside a value; this does.</param>
internal sealed record SpillBatch(long Id, byte[] Content, byte[] Hash)
{
    // The default encoder escapes every character outside ASCII, which doubles or triples most languages.
    private static readonly JsonSerializerOptions s_json = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Whether the content is what was written.</summary>
    public bool IsWhole => SHA256.HashData(Content).AsSpan().SequenceEqual(Hash);

    public static SpillBatch Of(long id, IReadOnlyList<ChatRecord> records)
    {
        byte[] content = JsonSerializer.SerializeToUtf8Bytes(records, s_json);
        return new SpillBatch(id, content, SHA256.HashData(content));
    }

    public List<ChatRecord> ReadRecords() => JsonSerializer.Deserialize<List<ChatRecord>>(Content, s_json)!;
}
