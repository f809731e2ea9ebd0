using PlayChat.Options;

namespace PlayChat.Server.Configuration;

/// <summary>Section <c>Sessions</c>.</summary>
internal sealed class SessionSettings
{
    [Option(
        "How long a player stays in its chat rooms after its connection broke, and may resume; 0 turns that off.",
        Min = "00:00:00",
        Max = "01:00:00",
        WhenReached = "The player leaves its rooms.",
        SeenIn = "`away` in the figures")]
    public TimeSpan ResumeWindow { get; set; } = TimeSpan.FromSeconds(30);

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
        "Bytes that the server reads from one connection in a second, and twice as many after a pause (chat mode); 0 is no limit. A "
            + "running server applies a new value to new connections.",
        Min = 0,
        Max = int.MaxValue,
        WhenReached = "The server does not read from the connection for a while, so that TCP slows its peer down.",
        Reloadable = true)]
    public int BytesPerSecond { get; set; } = 262_144;

    [Option(
        "Packets that the server reads from one connection in a second, and twice as many after a pause (chat mode); 0 is no limit. Set "
            + "more than PacketsPerSecond: a peer that sends more than that is told. A running server applies a new value to new "
            + "connections.",
        Min = 0,
        Max = int.MaxValue,
        WhenReached = "The server does not read from the connection for a while, so that TCP slows its peer down.",
        Reloadable = true)]
    public int FramesPerSecond { get; set; } = 500;

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
        "Pages of the room list and of rooms' histories that one player may ask for in a second, and as many at once; 0 is no limit.",
        Min = 0,
        Max = 1_000_000,
        WhenReached = "The request is answered RATE_LIMITED, with the time to wait.",
        SeenIn = "`requests limited` in the figures",
        Why = "A request of a few bytes has an answer of many kilobytes.",
        Reloadable = true)]
    public int PagesPerSecond { get; set; } = 20;
}
