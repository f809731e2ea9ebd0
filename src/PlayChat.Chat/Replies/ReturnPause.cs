namespace PlayChat.Chat.Replies;

/// <summary>
/// How long each client of a stopping server is asked to wait before it comes back: a random part of a time that grows with their number,
/// so that they do not all come back at one moment, and a few do not wait for nothing.
/// </summary>
/// <param name="settings">The longest time.</param>
/// <param name="countClients">Counts the clients that are still connected.</param>
internal sealed class ReturnPause(SessionSettings settings, Func<int> countClients)
{
    // A login with a password keeps a processor busy for 0.1 to 0.2 seconds, a resume for less than a millisecond.
    private static readonly TimeSpan s_perClient = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_restart = TimeSpan.FromSeconds(0.5); // what the restart of a small server takes

    private int _clients;

    /// <summary>Returns the pause of one more client; zero if clients are not asked to come back.</summary>
    public TimeSpan Next()
    {
        _clients = Math.Max(_clients, countClients()); // the number falls while one after the other is told
        double spread = Math.Max((s_perClient * _clients).TotalSeconds, s_restart.TotalSeconds);
#pragma warning disable CA5394 // it spreads the clients and need not be secret
        return TimeSpan.FromSeconds(Math.Min(spread, settings.ReturnWithin.TotalSeconds) * Random.Shared.NextDouble());
#pragma warning restore CA5394
    }
}
