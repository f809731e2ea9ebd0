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

    // Not to the web, nor to a place on the same page.
    [GeneratedRegex(@"\]\((?<path>(?!https?:)[^)#\s]+)(#[^)]*)?\)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Link();
}
