using System.Text.Encodings.Web;
using System.Text.Json.Nodes;

namespace PlayChat.Recording;

/// <summary>Shows frames and times to people.</summary>
internal static class FrameText
{
    private const int HexBytesPerLine = 16;
    private const int MaxLines = 500; // of each content; comparing takes time that grows with the square

    private static readonly JsonSerializerOptions s_indented =
        new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Says when something has happened.</summary>
    internal static string Where(TimeSpan at, long tick) =>
        string.Create(CultureInfo.InvariantCulture, $"At {at.TotalSeconds:N3} s (tick {tick:N0})");

    /// <summary>The content as lines: JSON if the packet has such a form or it looks so without one, otherwise hexadecimal
    /// digits.</summary>
    internal static string[] LinesOf(PacketType? packet, ReadOnlySpan<byte> body)
    {
        var json = new ArrayBufferWriter<byte>();
        try
        {
            if (packet?.TryWriteJson(body, json) ?? body is [(byte)'{' or (byte)'[', ..])
            {
                string text = JsonNode.Parse(packet is null ? body : json.WrittenSpan)?.ToJsonString(s_indented) ?? "null";
                return text.ReplaceLineEndings("\n").Split('\n');
            }
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or ArgumentException)
        {
            // A recorded body that is no JSON any more, or has half a character, is shown as its bytes.
        }

        return [.. body.ToArray().Chunk(HexBytesPerLine).Select(static line => Convert.ToHexString(line))];
    }

    /// <summary>The lines of both: common ones begin with two spaces, those of the first alone with -, those of the second alone with
    /// +.</summary>
    internal static string Difference(string[] expected, string[] got)
    {
        expected = [.. expected.Take(MaxLines)];
        got = [.. got.Take(MaxLines)];
        // common[i, j]: the longest common part of what follows from i and from j
        int[,] common = new int[expected.Length + 1, got.Length + 1];
        for (int i = expected.Length - 1; i >= 0; i--)
        {
            for (int j = got.Length - 1; j >= 0; j--)
            {
                common[i, j] = expected[i] == got[j] ? common[i + 1, j + 1] + 1 : Math.Max(common[i + 1, j], common[i, j + 1]);
            }
        }

        var text = new StringBuilder();
        for (int i = 0, j = 0; i < expected.Length || j < got.Length;)
        {
            if (i < expected.Length && j < got.Length && expected[i] == got[j])
            {
                text.Append("    ").AppendLine(expected[i++]);
                j++;
            }
            else if (i < expected.Length && (j == got.Length || common[i + 1, j] >= common[i, j + 1]))
            {
                text.Append("  - ").AppendLine(expected[i++]);
            }
            else
            {
                text.Append("  + ").AppendLine(got[j++]);
            }
        }

        return text.ToString().TrimEnd();
    }
}
