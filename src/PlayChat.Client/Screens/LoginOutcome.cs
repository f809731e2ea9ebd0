using PlayChat.Client.Cli;

namespace PlayChat.Client.Screens;

/// <summary>What became of a login.</summary>
/// <param name="Session">The session, the receiver's to dispose; null when there is none.</param>
/// <param name="ExitCode">Without a session: what the program ends with.</param>
internal sealed record LoginOutcome(ChatSession? Session, int ExitCode);
