namespace PlayChat.Client.Screens;

/// <summary>The players that the user has heard of, so that a name is enough to write to one. Thread-safe.</summary>
internal sealed class KnownPlayers
{
    // More than a person remembers; the player that was silent for longest is forgotten.
    private const int MaxHeard = 500;

    private readonly object _gate = new();
    private readonly List<Member> _heard = []; // the last one spoke last

    public void Note(long playerId, string name)
    {
        lock (_gate)
        {
            _heard.RemoveAll(player => player.PlayerId == playerId || player.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
            _heard.Add(new Member { PlayerId = playerId, Name = name });
            if (_heard.Count > MaxHeard)
            {
                _heard.RemoveAt(0);
            }
        }
    }

    /// <summary>The members of rooms, and then other players that have said something, the last one first.</summary>
    public List<Member> With(IEnumerable<Member> members)
    {
        lock (_gate)
        {
            return [.. members.Concat(Enumerable.Reverse(_heard))
                .DistinctBy(static player => player.Name, StringComparer.OrdinalIgnoreCase)];
        }
    }

    /// <summary>Finds the player whose name a text begins with: the longest such name, because names may contain spaces.</summary>
    /// <param name="text">The name, alone or with a space behind it.</param>
    /// <returns>Null when there is none.</returns>
    public static Member? FindAtStart(IEnumerable<Member> players, string text) => players
        .Where(player => text.StartsWith(player.Name, StringComparison.OrdinalIgnoreCase)
            && (text.Length == player.Name.Length || text[player.Name.Length] == ' '))
        .MaxBy(static player => player.Name.Length);
}
