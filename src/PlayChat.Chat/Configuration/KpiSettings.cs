using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Kpi</c>.</summary>
internal sealed class KpiSettings
{
    [Option("How often figures are taken.", Min = "00:00:00.1", Max = "1.00:00:00")]
    public TimeSpan Interval { get; set; } = TimeSpan.FromSeconds(10);

    [Option("One JSON object a line: at start, each interval, at stop.", Allowed = "a file, or empty for none")]
    public string JsonFile { get; set; } = "";

    [Option("Print the figures of intervals in which something happened.", Reloadable = true)]
    public bool Table { get; set; } = true;

    [Option("Print all figures, three lines of up to 130 columns for each interval, instead of one line of 100.", Reloadable = true)]
    public bool FullTable { get; set; }
}
