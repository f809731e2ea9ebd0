namespace PlayChat.Core.Sessions;

/// <summary>What a client shows to continue its session.</summary>
/// <param name="Token">The newest token that it has.</param>
/// <param name="FramesReceived">
/// How many frames it received on the connection that the token came on (<see cref="Connection.FramesReceived"/>), so that rooms can say
/// whether it has missed something; <see langword="null"/> if it does not say.
/// </param>
public readonly record struct ResumeClaim(ReadOnlyMemory<byte> Token, long? FramesReceived = null);
