using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Direct</c>.</summary>
internal sealed class DirectSettings
{
    [Option(
        "Direct messages are stored: players read them later, see their conversations, and block players. Otherwise a direct message "
            + "reaches only a player that is connected.")]
    public bool Stored { get; set; } = true;
}
