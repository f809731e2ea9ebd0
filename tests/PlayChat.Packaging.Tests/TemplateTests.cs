using System.Xml.Linq;

namespace PlayChat.Packaging.Tests;

/// <summary>What the template holds, as it lies in the repository.</summary>
public sealed class TemplateTests
{
    [Fact]
    public void It_refers_to_the_versions_that_the_repository_is_tested_with()
    {
        var versions = XDocument.Parse(Repository.Read("Directory.Packages.props"));
        var tested = versions.Descendants("PackageVersion")
            .ToDictionary(
                static version => version.Attribute("Include")!.Value,
                static version => version.Attribute("Version")!.Value,
                StringComparer.Ordinal);

        (string Package, string Version)[] references =
        [
            .. Directory.GetFiles(Repository.PathOf("templates/playchat-server"), "*.csproj", SearchOption.AllDirectories)
                .SelectMany(static project => XDocument.Load(project).Descendants("PackageReference"))
                .Select(static reference => (reference.Attribute("Include")!.Value, reference.Attribute("Version")!.Value)),
        ];

        Assert.NotEmpty(references);
        Assert.All(references, reference => Assert.Equal(
            reference.Package.StartsWith("PlayChat.", StringComparison.Ordinal)
                ? "$(PlayChatVersion)" : tested[reference.Package], reference.Version));
    }
}
