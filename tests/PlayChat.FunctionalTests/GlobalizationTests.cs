using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The server in an environment as that of slim container images.</summary>
public sealed class GlobalizationTests : IDisposable
{
    private readonly TemporaryDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("check-config")]
    [InlineData("accounts", "list")]
    [InlineData("bans", "list")]
    public async Task Without_ICU_nothing_starts_and_no_database_is_made(params string[] command)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There is no env on Windows.");
        (string program, string[] arguments) = ProgramProcess.CommandOf(ProgramFile.Server, command);

        await using ProgramProcess process = ProgramProcess.Start(
            "env", _folder.Path, ["DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1", program, .. arguments]);

        Assert.True(await process.WaitForExitAsync() == 1, process.Describe());
        Assert.StartsWith("This process runs without ICU", Assert.Single(process.ErrorLines), StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_folder.Path));
    }

    [Fact]
    public async Task A_password_is_read_as_UTF_8_whatever_the_terminal_has()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There is no env on Windows.");
        (string program, string[] arguments) = ProgramProcess.CommandOf(ProgramFile.Server, ["accounts", "add", "kim"]);
        await using ProgramProcess process = ProgramProcess.Start(
            "env", _folder.Path, ["LC_ALL=en_US.ISO-8859-1", program, .. arguments]);

        await process.TypeAsync("비밀번호입니다"); // seven characters, and 21 of ISO-8859-1

        Assert.True(await process.WaitForExitAsync() == 1, process.Describe());
        Assert.Contains("The password is too short", string.Join('\n', process.ErrorLines), StringComparison.Ordinal);
    }
}
