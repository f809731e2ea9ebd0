using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Sessions</c>.</summary>
internal sealed class SessionSettings
{
    [Option(
        "When the server stops, each client is asked to come back by itself after a random part of 50 ms for each client, of at least half "
            + "a second and at most this time; 0 asks no client.",
        Min = "00:00:00",
        Max = "01:00:00",
        Reloadable = true)]
    public TimeSpan ReturnWithin { get; set; } = TimeSpan.FromSeconds(10);

    [Option(
        "Packets of any kind that one connection may send in a second, and as many at once (chat mode); 0 is no limit. Set three times "
            + "what your client sends in its busiest second.",
        Min = 0,
        Max = 1_000_000,
        WhenReached =
            "The packet is answered RATE_LIMITED, with the time to wait. After 100 in a row the connection closes as `RateLimited`.",
        SeenIn = "`playchat.packets.rate_limited`, `rate_limited_packets` in the files",
        Reloadable = true)]
    public int PacketsPerSecond { get; set; } = 100;

    [Option(
        "Chat rooms that one player may create in a minute, and as many at once, and ten times as many from one address (IPv6: one /64 "
            + "network); 0 is no limit. Players on this machine itself have no limit per address.",
        Min = 0,
        Max = 1_000_000,
        WhenReached = "The request is answered RATE_LIMITED, with the time to wait.",
        SeenIn = "`requests limited` in the figures",
        Why = "Each room leaves a permanent row in the database.",
        Reloadable = true)]
    public int RoomsPerMinute { get; set; } = 20;

    [Option(
        "Pages of lists and histories that one player may ask for in a second, and as many at once; 0 is no limit. Changes of messages, "
            + "reactions, reports, blocks and what moderators do count as well.",
        Min = 0,
        Max = 1_000_000,
        WhenReached = "The request is answered RATE_LIMITED, with the time to wait.",
        SeenIn = "`requests limited` in the figures",
        Why = "A request of a few bytes has an answer of many kilobytes.",
        Reloadable = true)]
    public int PagesPerSecond { get; set; } = 20;

    [Option(
        "Searches of one player in a minute, and as many at once; 0 is no limit.",
        Min = 0,
        Max = 1_000_000,
        WhenReached = "The request is answered RATE_LIMITED, with the time to wait.",
        SeenIn = "`requests limited` in the figures",
        Why = "A search may take two seconds, and two run at once.",
        Reloadable = true)]
    public int SearchesPerMinute { get; set; } = 30;
}
