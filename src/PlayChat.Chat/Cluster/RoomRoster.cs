using PlayChat.Cluster.Log;

namespace PlayChat.Chat.Cluster;

/// <summary>The members of a room on all nodes, as the directory and the log say. Only the room's turn uses it.</summary>
internal sealed class RoomRoster
{
    private const int MaxGone = 4096; // later ones leave a replica that is too old for a directory that is ahead of the log

    private readonly Dictionary<long, RosterEntry> _members = []; // by player id
    private List<RoomEntry>? _changes = []; // those that were read while the directory's answer is awaited
    private readonly HashSet<long> _gone = []; // players that entries have taken out and not brought back: as many as MaxGone
    private HashSet<long>? _leftForGood = []; // until the directory has answered, which may know sessions of them still

    /// <summary>The members as clients see them.</summary>
    public IEnumerable<Member> Shown => _members.Values.Select(static member => member.Shown);

    /// <summary>The player that has caused an entry, as clients see it.</summary>
    public Member Of(RoomEntry entry) => _members.GetValueOrDefault(entry.UserId)?.Shown ?? Create(entry);

    /// <summary>Whether a player is a member through a session.</summary>
    public bool Has(long playerId, RecordOrigin node, long sessionId) =>
        _members.TryGetValue(playerId, out RosterEntry? present) && present.Places.Contains(new SessionPlace(node, sessionId));

    /// <summary>Whether a player is connected to the room through another node.</summary>
    public bool HasElsewhere(long playerId, RecordOrigin node) =>
        _members.TryGetValue(playerId, out RosterEntry? present) && present.Places.Any(place => place.Node != node);

    /// <summary>Whether a player is a member through a node.</summary>
    public bool Has(RecordOrigin node) => _members.Values.Any(member => member.Places.Any(place => place.Node == node));

    /// <summary>Takes a player out, if it is there.</summary>
    public bool Remove(long playerId)
    {
        _leftForGood?.Add(playerId);
        return TakeOut(playerId);
    }

    /// <summary>Takes out what players are through a node.</summary>
    /// <returns>Whether that was something.</returns>
    public bool Remove(RecordOrigin node)
    {
        bool isAny = false;
        foreach ((long playerId, RosterEntry present) in _members)
        {
            isAny |= present.Places.RemoveWhere(place => place.Node == node) > 0;
            if (present.Places.Count == 0)
            {
                TakeOut(playerId);
            }
        }

        return isAny;
    }

    /// <summary>Applies a join or a leave, which may be older than this replica of the room.</summary>
    /// <returns>The player that members hear of; <see langword="null"/> when they need not hear of it.</returns>
    public Member? Apply(RoomEntry entry, bool isEarlier)
    {
        if (!isEarlier)
        {
            _changes?.Add(entry);
        }

        RosterEntry? present = _members.GetValueOrDefault(entry.UserId);
        var place = new SessionPlace(entry.Body.Node, entry.Body.SessionId);
        if (entry.Kind == RoomEntryKind.Joined)
        {
            present = new RosterEntry(Create(entry), [.. present?.Places ?? [], place]);
            _members[entry.UserId] = present;
            _gone.Remove(entry.UserId);
            _leftForGood?.Remove(entry.UserId);
            return present.Places.Count == 1 ? present.Shown : null; // the directory's roster may have this very session already
        }

        bool isForGood = entry.Body.Text.Length > 0;
        if (isForGood)
        {
            _leftForGood?.Add(entry.UserId);
        }

        if (present is null)
        {
            // The tail need not reach back to its join, and the directory may know of the leave before the log has it; members that come
            // from another replica know the player. A leave without a number is that of a refused player, of which nobody has heard.
            return entry.Body.Number != 0 && TryAddGone(entry.UserId) ? Create(entry) : null;
        }

        if (!present.Places.Remove(place) || (present.Places.Count > 0 && !isForGood))
        {
            return null; // the player is a member through another session
        }

        TakeOut(entry.UserId); // with all its sessions, if it has left for good
        return present.Shown;
    }

    /// <summary>Takes over the directory's roster, read after this one was made or <see cref="Await"/> was called.</summary>
    public void Fill(IReadOnlyList<ClusterMember> members)
    {
        _members.Clear();
        _gone.Clear(); // what follows may be the leave that members from another replica have not heard
        foreach (ClusterMember member in members.Where(member => _leftForGood?.Contains(member.UserId) != true))
        {
            _members.TryAdd(member.UserId, new RosterEntry(new Member { PlayerId = member.UserId, Name = member.Name }, []));
            _members[member.UserId].Places.Add(new SessionPlace(member.Node, member.SessionId));
        }

        _leftForGood = null;
        // The directory's roster may contain some of these changes already. Applying one twice changes nothing.
        List<RoomEntry> changes = _changes ?? [];
        _changes = null;
        changes.ForEach(change => Apply(change, isEarlier: false));
    }

    /// <summary>Entries are missing, so the roster has to be filled again.</summary>
    public void Await() => _changes ??= [];

    private bool TakeOut(long playerId)
    {
        TryAddGone(playerId);
        return _members.Remove(playerId);
    }

    private bool TryAddGone(long playerId) => _gone.Count < MaxGone && _gone.Add(playerId);

    private static Member Create(RoomEntry entry) => new() { PlayerId = entry.UserId, Name = entry.Body.Name };

    private sealed record RosterEntry(Member Shown, HashSet<SessionPlace> Places);
}
