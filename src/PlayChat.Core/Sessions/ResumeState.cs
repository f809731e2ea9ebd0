namespace PlayChat.Core.Sessions;

/// <summary>What a session needs to survive its connection: its tokens, and whether it is away.</summary>
/// <remarks>
/// <para>Invariant: the <see cref="ResumeTable"/> maps <see cref="TokenHash"/> and <see cref="UsedHash"/> to this state while they have
/// values. <see cref="AwaySince"/> has a value exactly while the session is away.</para>
/// <para>Only the table changes it, under its gate. Any thread may read the properties that say so.</para>
/// </remarks>
internal sealed class ResumeState(Session session)
{
    private volatile SessionLink _link = new(session.Connection, IsAway: false);
    private volatile bool _hasMoved;
    private volatile bool _isAway;
    private long? _awaySince;

    internal Session Session => session;

    /// <summary>The hash of the newest token; <see langword="null"/> if the session cannot resume.</summary>
    internal string? TokenHash { get; set; }

    /// <summary>
    /// The hash of the token that was used last, until the client has confirmed that it has the next one; otherwise <see langword="null"/>.
    /// </summary>
    internal string? UsedHash { get; set; }

    /// <summary>Whether the session is of an earlier run, and no client has shown a token of its user yet.</summary>
    internal bool IsUnclaimed { get; set; }

    /// <summary>Whether the session is a new one for its client, which has not shown yet that it knows.</summary>
    internal bool IsRestored { get; set; }

    /// <summary>When the token of <see cref="UsedHash"/> was used first, in ticks of the clock.</summary>
    internal long UsedAt { get; set; }

    /// <summary>The token hashes that the resume store may have, the oldest first: the one that it has saved last, and later ones that it
    /// has not confirmed. Never changed, only replaced.</summary>
    internal string[] StoredHashes { get; set; } = [];

    /// <summary>Whether a client that closes its connection leaves for good. Otherwise it says so before (see <c>EndAsync</c>).</summary>
    internal bool CloseIsLeave { get; set; }

    /// <summary>When the session became away, in ticks of the clock; <see langword="null"/> while it is here.</summary>
    internal long? AwaySince
    {
        get => _awaySince;
        set
        {
            _awaySince = value;
            _isAway = value is not null;
        }
    }

    /// <summary>Why the connection of a session that is away has ended.</summary>
    internal CloseReason AwayReason { get; set; }

    /// <summary>Whether the session is away. Any thread may ask.</summary>
    internal bool IsAway => _isAway;

    /// <summary>Whether the session has resumed at least once. Set before its connection changes. Any thread may ask.</summary>
    internal bool HasMoved => _hasMoved;

    /// <summary>What the rooms may know. Any thread may read it.</summary>
    internal SessionLink Link => _link;

    /// <summary>Notes that the session is about to have another connection.</summary>
    internal void SetMoved() => _hasMoved = true;

    /// <summary>Tells the rooms that the connection they know is lost.</summary>
    internal void SetLost()
    {
        if (!_link.IsAway)
        {
            _link = _link with { IsAway = true };
        }
    }

    /// <summary>Tells the rooms of the session's present connection.</summary>
    internal void SetReturned(SessionLink link) => _link = link;
}
