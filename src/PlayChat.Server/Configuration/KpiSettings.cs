namespace PlayChat.Server.Configuration;

/// <summary>Section <c>Kpi</c>.</summary>
internal sealed class KpiSettings
{
    public TimeSpan Interval { get; set; }

    public string JsonFile { get; set; } = "";

    public string CsvFile { get; set; } = "";

    public bool Table { get; set; }
}
