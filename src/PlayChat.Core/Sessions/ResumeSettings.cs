namespace PlayChat.Core.Sessions;

/// <summary>How the sessions of a server resume.</summary>
/// <param name="Window">The time that a session may be away; zero turns resuming off.</param>
/// <param name="MaxAway">The most sessions that are away at once.</param>
/// <param name="Time">The server's clock.</param>
/// <param name="KeepsFrames">Whether rooms replay what a member has missed, so that it matters what its client has received.</param>
/// <param name="Storage">Where tokens survive a restart; <see langword="null"/> if they do not.</param>
internal readonly record struct ResumeSettings(TimeSpan Window, int MaxAway, TimeProvider Time, bool KeepsFrames = false, ResumeStorage? Storage = null);
