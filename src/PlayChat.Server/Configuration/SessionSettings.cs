namespace PlayChat.Server.Configuration;

/// <summary>Section <c>Sessions</c>.</summary>
internal sealed class SessionSettings
{
    public TimeSpan ResumeWindow { get; set; }

    public int PacketsPerSecond { get; set; }

    public int RoomsPerMinute { get; set; }
}
