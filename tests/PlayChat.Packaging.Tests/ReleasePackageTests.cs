namespace PlayChat.Packaging.Tests;

/// <summary>What holds of packages that were built to be published. PLAYCHAT_TEST_PACKAGES, if set, must name a folder of those.</summary>
[Trait("Tier", "Full")]
public sealed class ReleasePackageTests(ReleasePackageFeed feed) : IClassFixture<ReleasePackageFeed>
{
    [Theory]
    [MemberData(nameof(PackageTests.Libraries), MemberType = typeof(PackageTests))]
    public void The_symbols_name_no_folder_of_the_machine_that_packed(string id) =>
        Assert.All(feed.Packages[id].SourcesOf($"lib/net8.0/{id}.pdb"), static source =>
            Assert.StartsWith("/_/", source, StringComparison.Ordinal));
}
