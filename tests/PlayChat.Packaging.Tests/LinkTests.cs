using System.Text.RegularExpressions;

namespace PlayChat.Packaging.Tests;

public sealed partial class LinkTests
{
    public static TheoryData<string> Pages => [.. Documents.All];

    [Theory]
    [MemberData(nameof(Pages))]
    public void The_links_of_a_document_lead_somewhere(string page)
    {
        string folder = Path.GetDirectoryName(Repository.PathOf(page))!;

        string[] targets = [.. Link().Matches(Repository.Read(page)).Select(static match => match.Groups["path"].Value)];

        Assert.All(
            targets,
            target => Assert.True(
                Path.Exists(Path.Combine(folder, Uri.UnescapeDataString(target))), $"{page} leads to {target}, which is not there."));
    }

    [Theory]
    [MemberData(nameof(Pages))]
    public void The_links_of_a_document_to_headings_find_them(string page)
    {
        string folder = Path.GetDirectoryName(Repository.PathOf(page))!;

        (string Path, string Place)[] targets =
        [
            .. Place().Matches(Repository.Read(page))
                .Select(static match => (match.Groups["path"].Value, match.Groups["place"].Value)),
        ];

        Assert.All(targets, target =>
        {
            string document = target.Path.Length == 0 ? Repository.PathOf(page) : Path.Combine(folder, target.Path);
            Assert.Contains(target.Place, FindPlaces(File.ReadAllText(document)), StringComparer.Ordinal);
        });
    }

    /// <summary>The names by which GitHub finds the headings of a document. A second heading of the same text has no name here.</summary>
    private static IEnumerable<string> FindPlaces(string document) =>
        Heading().Matches(document).Select(static match =>
            Dropped().Replace(match.Groups["text"].Value.Trim(), "").Replace(' ', '-').ToLowerInvariant());

    // Not to the web, nor to a place on the same page.
    [GeneratedRegex(@"\]\((?<path>(?!https?:)[^)#\s]+)(#[^)]*)?\)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Link();

    // A place in a Markdown page, or on the same page.
    [GeneratedRegex(
        @"\]\((?<path>((?!https?:)[^)#\s]+\.md)?)#(?<place>[^)\s]+)\)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Place();

    [GeneratedRegex(@"^#{1,6} (?<text>.+)$", RegexOptions.ExplicitCapture | RegexOptions.Multiline, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Heading();

    [GeneratedRegex(@"[^\w\- ]", RegexOptions.None, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Dropped();
}
