using System.Runtime.Versioning;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.ChatLog;

[UnsupportedOSPlatform("windows")] // its test is skipped there
public sealed class PrivateFoldersTests
{
    [Theory]
    [InlineData("data/chat-spill.db")]
    [InlineData("")]
    public async Task The_folders_of_accounts_and_chat_that_a_server_makes_are_for_its_account_alone(string spillFile)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no such modes.");
        const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
        using var folder = new TemporaryDirectory();

        await using (await TestServer.StartInAsync(
            folder.Path,
            null,
            $"--Storage:Path={folder.Combine("data", "playchat.db")}",
            $"--ChatLog:SpillFile={(spillFile.Length > 0 ? folder.Combine(spillFile) : "")}",
            $"--ChatLog:Directory={folder.Combine("logs", "chat")}"))
        {
            Assert.Equal(Private, File.GetUnixFileMode(folder.Combine("data")));
            Assert.Equal(Private, File.GetUnixFileMode(folder.Combine("logs", "chat")));
        }
    }
}
