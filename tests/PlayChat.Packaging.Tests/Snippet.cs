using System.Globalization;

namespace PlayChat.Packaging.Tests;

/// <summary>A block of C# in a document.</summary>
/// <param name="Document">Its path in the repository.</param>
/// <param name="Line">Where it begins.</param>
/// <param name="Code">The block, with what belongs to it but is not shown: a comment above it, &lt;!-- csharp … --&gt;, in which a line …
/// stands for the block. Usings at the top of the block come before everything.</param>
/// <param name="Usings">The namespaces that these usings name.</param>
/// <param name="Block">The block without them.</param>
internal sealed record Snippet(string Document, int Line, string Code, IReadOnlyList<string> Usings, string Block)
{
    private const string Fence = "```";
    private const string Place = "…";
    private const string Using = "using ";

    /// <summary>Whether it has tests, which are run.</summary>
    public bool HasTests => Code.Contains("[Fact]", StringComparison.Ordinal);

    public static IEnumerable<Snippet> Read(string document)
    {
        string[] lines = Repository.Read(document).Split('\n');
        string[] around = [Place];
        for (int i = 0; i < lines.Length; i++)
        {
            if (lines[i] == "<!-- csharp")
            {
                around = [.. lines[(i + 1)..].TakeWhile(static line => line != "-->")];
                i += around.Length + 1;
            }
            else if (lines[i] == Fence + "csharp")
            {
                string[] block = [.. lines[(i + 1)..].TakeWhile(static line => line != Fence)];
                string[] usings = [.. block.TakeWhile(static line => line.StartsWith(Using, StringComparison.Ordinal) && line[^1] == ';')];
                string[] rest = block[usings.Length..];
                yield return new Snippet(
                    document,
                    i + 1,
                    string.Join('\n', usings.Concat(around.SelectMany(line => line == Place ? rest : [line]))),
                    [.. usings.Select(static line => line[Using.Length..^1])],
                    string.Join('\n', rest));
                i += block.Length + 1;
                around = [Place];
            }
        }
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Document}:{Line}");
}
