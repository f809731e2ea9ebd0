using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Log</c>: how the log looks, and what others can make the server log.</summary>
/// <remarks>Where the log goes is section <c>Serilog</c>.</remarks>
internal sealed class LogSettings
{
    [Option(
        "How a line of the log looks: text for people, or JSON lines for programs, with a field for each value. Json replaces the output "
            + "templates in section Serilog, and nothing else is printed: neither the banner nor the table of figures.",
        LowerCase = true)]
    public LogFormat Format { get; set; }

    [Option(
        "Time in which an event is logged once for each address (IPv6: one /64 network) or player; levels below Information are not "
            + "limited.",
        Min = "00:00:01",
        Max = "01:00:00",
        WhenReached = "Further lines are counted, and one line says how many were left out.",
        SeenIn = "`log left out` in the figures",
        Reloadable = true,
        Why = "A peer that connects again and again with bad bytes would write megabytes of log a second.")]
    public TimeSpan RepeatAfter { get; set; } = TimeSpan.FromSeconds(10);

    [Option(
        "Lines of one event in that time, from all addresses and players together.",
        Min = 10,
        Max = 1_000_000,
        WhenReached = "Further lines are counted, and one line says how many were left out.",
        SeenIn = "`log left out` in the figures",
        Reloadable = true,
        Why = "Many addresses together would fill the disk where each alone stays within its share.")]
    public int LinesPerEvent { get; set; } = 1000;
}
