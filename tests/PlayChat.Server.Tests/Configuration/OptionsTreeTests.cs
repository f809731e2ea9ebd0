using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Hosting;
using PlayChat.Core.Hosting;

namespace PlayChat.Server.Tests.Configuration;

/// <summary>All options are one tree: a key writes one of them, and no other key does.</summary>
public sealed class OptionsTreeTests
{
    // The first of them that differs from the default.
    private static readonly string[] s_values =
        ["127.0.0.1:0", "true", "false", "00:02:03", "00:00:02", "00:00:01", "3", "4097", "70000", "DropNewest", "Allow", "Stored", "Wait"];

    [Theory]
    [InlineData("PlayChat:")]
    [InlineData("Sessions:")]
    [InlineData("Rooms:")]
    [InlineData("ChatLog:")]
    public async Task What_a_key_says_is_what_the_server_that_was_put_together_has(string section)
    {
        Dictionary<string, string> said = SettingsCatalog.All
            .Where(setting => setting.Key.StartsWith(section, StringComparison.Ordinal))
            .ToDictionary(static setting => setting.Key, Other, StringComparer.Ordinal);
        string[] args = [.. said.Select(static entry => $"--{entry.Key}={entry.Value}"), "--Serilog:MinimumLevel:Default=Fatal"];

        IHost host = ServerHost.Build(CommandLine.Parse(args), TextWriter.Null);
        await using var services = (IAsyncDisposable)host;
        PlayChatServer server = host.Services.GetRequiredService<PlayChatServer>();
        var settings = host.Services.GetRequiredService<ServerSettings>();
        var has = Setting.Of(settings).ToDictionary(
            static setting => setting.Key, static setting => setting.Default, StringComparer.Ordinal);

        Assert.Same(server.Options, settings.PlayChat);
        Assert.NotEmpty(said);
        Assert.All(said, entry => Assert.Equal(entry.Value, has[entry.Key]));
        Assert.All(
            SettingsCatalog.All.Where(setting => setting.Key != "Transport" && !said.ContainsKey(setting.Key)),
            setting => Assert.Equal(setting.Default, has[setting.Key]));
    }

    [Fact]
    public void No_key_is_there_twice()
    {
        HashSet<string> keys = new(StringComparer.OrdinalIgnoreCase);

        Assert.All(SettingsCatalog.All, setting => Assert.True(keys.Add(setting.Key), setting.Key));
    }

    private static string Other(Setting setting) => s_values.First(
        value => setting.FindProblem(setting.Key, value) is null && !setting.IsSame(setting.Default, value));
}
