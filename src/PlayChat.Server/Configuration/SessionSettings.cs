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
        "When the server stops, each client is asked to come back by itself after a random part of this time; 0 asks no client. Set more "
            + "than a restart takes, and more for many clients.",
        Min = "00:00:00",
        Max = "01:00:00",
        Reloadable = true)]
    public TimeSpan ReturnWithin { get; set; } = TimeSpan.FromSeconds(10);

    [Option(
        "Packets of any kind that one connection may send in a second, and as many at once (chat mode); 0 is no limit. Where strangers can "
            + "reach the server, set three times what your client sends in its busiest second.",
        Min = 0,
        Max = 1_000_000,
        WhenReached =
            "The packet is answered RATE_LIMITED, with the time to wait. After 100 in a row the connection closes as `RateLimited`.",
        SeenIn = "`playchat.packets.rate_limited`, `rate_limited_packets` in the files")]
    public int PacketsPerSecond { get; set; }

    [Option(
        "Chat rooms that one connection may create in a minute, and as many at once; 0 is no limit.",
        Min = 0,
        Max = 1_000_000,
        WhenReached = "The request is answered RATE_LIMITED, with the time to wait.",
        SeenIn = "`playchat.packets.rate_limited`, `rate_limited_packets` in the files")]
    public int RoomsPerMinute { get; set; } = 60;
}
