namespace PlayChat.Matchmaking;

/// <summary>A queue of any type of ticket, for code that shows all queues: <c>server.Rooms.All.OfType&lt;IMatchQueue&gt;()</c>.
/// Thread-safe.</summary>
public interface IMatchQueue
{
    /// <summary>The name of the queue's room.</summary>
    string Name { get; }

    /// <summary>The figures at the latest pass.</summary>
    MatchQueueFigures Figures { get; }
}
