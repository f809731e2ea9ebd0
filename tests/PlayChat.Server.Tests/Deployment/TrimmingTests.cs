namespace PlayChat.Server.Tests.Deployment;

public sealed class TrimmingTests
{
    [Theory]
    [Trait("Tier", "Full")]
    [InlineData("PublishTrimmed")]
    [InlineData("PublishAot")]
    public async Task A_publish_that_would_not_run_is_refused_with_the_reason(string property)
    {
        // The target runs before the first step of a publish that takes time.
        (int exitCode, string output) = await DeployFolder.RunAsync(
            "dotnet",
            "msbuild",
            DeployFolder.PathOf("../src/PlayChat.Server/PlayChat.Server.csproj"),
            "-target:ResolvePackageAssets",
            $"-property:{property}=true",
            "-nologo");

        Assert.Equal(1, exitCode);
        Assert.Contains("PlayChat.Server does not run trimmed or as a native program", output, StringComparison.Ordinal);
    }
}
