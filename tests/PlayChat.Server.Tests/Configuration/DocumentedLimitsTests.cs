using PlayChat.Chat.Configuration;
using PlayChat.Core.Clients;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Configuration;

/// <summary>What the documents say of limits, beside the generated tables, which <see cref="GeneratedFilesTests"/> checks.</summary>
public sealed class DocumentedLimitsTests
{
    private static readonly string s_text = Repository.Read("docs/explanation/limits-in-your-code.md");

    [Fact]
    public void Limits_that_are_no_settings_of_the_chat_server_have_the_defaults_of_the_code()
    {
        int inRow = 0;
        _ = new PlayChatConnector(FrameFormat.Packet(), new PacketSet(), router => inRow = router.MaxRateLimitedInRow);

        Assert.Contains($"`PacketRouter.MaxRateLimitedInRow`, 1 to 1,000,000, default {inRow}.", s_text, StringComparison.Ordinal);
        string packets = SettingsCatalog.All.Single(static setting => setting.Key == "Sessions:PacketsPerSecond").WhenReached!;
        Assert.Contains($"After {inRow} in a row", packets, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_setting_that_is_a_bound_says_what_happens_when_it_is_reached()
    {
        IEnumerable<Setting> bounds = SettingsCatalog.All.Where(static setting =>
            setting.Key.Split(':')[^1] is ['M', 'a', 'x', ..] || setting.Key.EndsWith("Timeout", StringComparison.Ordinal));

        // How long the database may take is the driver's business, and no peer meets the time for storing what a stopping server has
        // accepted.
        Assert.All(
            bounds.Where(
                static setting => !setting.Key.StartsWith("Storage:", StringComparison.Ordinal) && setting.Key != "ChatLog:StopTimeout"),
            static setting => Assert.False(string.IsNullOrEmpty(setting.WhenReached), setting.Key));
    }
}
