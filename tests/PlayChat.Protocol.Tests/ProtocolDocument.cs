using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

/// <summary>What proto/PROTOCOL.md says, taken apart: its hex examples and its tables.</summary>
internal static class ProtocolDocument
{
    private static readonly string[] s_lines = File.ReadAllLines(Repository.PathOf("proto/PROTOCOL.md"));

    /// <summary>The examples in the order in which they stand.</summary>
    public static IReadOnlyList<HexExample> Examples { get; } = ReadExamples();

    /// <summary>The cells of each row of the table that begins with <paramref name="heading"/>.</summary>
    public static IReadOnlyList<string[]> Rows(string heading) =>
        s_lines
            .SkipWhile(line => !line.StartsWith($"| {heading} |", StringComparison.Ordinal))
            .Skip(2)
            .TakeWhile(line => line.StartsWith('|'))
            .Select(line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries))
            .ToArray();

    private static List<HexExample> ReadExamples()
    {
        const string start = "```hex ";
        var examples = new List<HexExample>();
        for (int i = 0; i < s_lines.Length; i++)
        {
            if (!s_lines[i].StartsWith(start, StringComparison.Ordinal))
            {
                continue;
            }

            int lineNumber = i + 1;
            string format = s_lines[i][start.Length..];
            var bytes = new List<byte>();
            for (i++; !s_lines[i].StartsWith("=>", StringComparison.Ordinal); i++)
            {
                // One space stands between bytes; two begin the comment.
                string hex = s_lines[i].Split("  ", 2)[0];
                bytes.AddRange(hex.Split(' ').Select(digits => Convert.ToByte(digits, 16)));
            }

            examples.Add(new HexExample(lineNumber, format, [.. bytes], s_lines[i]["=>".Length..].Trim()));
        }

        return examples;
    }
}
