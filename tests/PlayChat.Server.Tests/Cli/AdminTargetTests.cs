using System.Text;
using PlayChat.Chat.Cli;
using PlayChat.Chat.Configuration;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Cli;

public sealed class AdminTargetTests
{
    [Theory]
    [InlineData("0123456789abcdef", "utf-16BE")] // no byte order mark
    [InlineData("schlüsselschlüssel", "utf-8")]
    [InlineData("two words of a token", "utf-8")]
    [InlineData("", "utf-8")]
    public async Task A_file_without_a_token_is_said_to_have_none(string content, string encoding)
    {
        using var folder = new TemporaryDirectory();
        string file = folder.Combine("token");
        await File.WriteAllBytesAsync(file, Encoding.GetEncoding(encoding).GetBytes(content));
        string settings = folder.Combine("settings.json");
        await File.WriteAllTextAsync(settings, "{}");
        var target = new AdminTarget(new Uri("http://127.0.0.1:1"), file, CertificateFile: null, settings);

        StartException problem = Assert.Throws<StartException>(() => target.Connect(Timeout.InfiniteTimeSpan));

        Assert.StartsWith($"--token-file is '{file}', whose first line is no token", problem.Message, StringComparison.Ordinal);
    }
}
