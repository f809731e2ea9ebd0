namespace PlayChat.Client.Interaction;

/// <summary>What the status bar says about the connection.</summary>
/// <param name="Words">Such as "connected" or "reconnecting, attempt 3".</param>
/// <param name="Latency">How long the server took to answer; null when that is not known.</param>
internal sealed record LinkState(bool IsConnected, string Words, TimeSpan? Latency = null);
