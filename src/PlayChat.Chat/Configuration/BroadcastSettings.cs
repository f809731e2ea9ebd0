using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Broadcast</c>.</summary>
internal sealed class BroadcastSettings
{
    [Option("Number of rooms of the broadcast mode.", Min = 1, Max = 100_000)]
    public int Rooms { get; set; } = 1;
}
