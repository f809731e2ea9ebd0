namespace PlayChat.Core.Sessions;

/// <summary>How the sessions of a server resume.</summary>
/// <param name="Window">The time that a session may be away; zero turns resuming off.</param>
/// <param name="MaxAway">The most sessions that are away at once.</param>
/// <param name="Time">The server's clock.</param>
internal readonly record struct ResumeSettings(TimeSpan Window, int MaxAway, TimeProvider Time);
