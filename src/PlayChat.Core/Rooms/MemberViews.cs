namespace PlayChat.Core.Rooms;

/// <summary>
/// The members that get something else than all of a turn's broadcasts: from which position on, and without which frames.
/// </summary>
/// <remarks>
/// <para>Invariant: <c>_views</c> holds the default for every place that is not in <c>_special</c>, so a member without an entry gets all
/// blocks. The gaps of a member form a list through <c>_gaps</c>, in the order of the frames. Places and positions are valid until the
/// membership changes, and <see cref="RoomOutbox"/> calls <see cref="Clear"/> before that.</para>
/// <para>A mutable struct, so that a delivery reads no further object: embed it and never copy it. Only the room's turn uses it.</para>
/// </remarks>
internal struct MemberViews
{
    private readonly List<int> _special = [];
    private readonly List<Gap> _gaps = [];
    private View[] _views = [];

    public MemberViews()
    {
    }

    /// <summary>Whether every member gets all blocks.</summary>
    internal readonly bool AreAlike => _special.Count == 0;

    /// <summary>Returns the position up to which a member has been given the frames.</summary>
    internal readonly TurnPosition PositionOf(int member) => ViewOf(member).From;

    /// <summary>Records that a member has been given all frames before a position.</summary>
    internal void MoveTo(int member, TurnPosition position) => Edit(member) = new View(position, FirstGap: 0, LastGap: 0);

    /// <summary>Records that a member does not get the frames between two positions. They lie behind its earlier gaps.</summary>
    internal void LeaveOut(int member, TurnPosition before, TurnPosition after)
    {
        ref View view = ref Edit(member);
        _gaps.Add(new Gap(before, after, Next: 0));
        if (view.FirstGap == 0)
        {
            view = view with { FirstGap = _gaps.Count, LastGap = _gaps.Count };
        }
        else
        {
            _gaps[view.LastGap - 1] = _gaps[view.LastGap - 1] with { Next = _gaps.Count };
            view = view with { LastGap = _gaps.Count };
        }
    }

    /// <summary>Sends a member the frames that it has not been given yet, without its gaps.</summary>
    /// <returns>The number of frames that its queue accepted.</returns>
    internal readonly int Send(int member, Connection connection, in TurnBlocks blocks, bool flush)
    {
        View view = ViewOf(member);
        TurnPosition at = view.From;
        int delivered = 0;
        for (int g = view.FirstGap; g > 0; g = _gaps[g - 1].Next)
        {
            delivered += blocks.Send(connection, at, _gaps[g - 1].Before, flush: false);
            at = _gaps[g - 1].After;
        }

        return delivered + blocks.Send(connection, at, blocks.End, flush);
    }

    /// <summary>Keeps the frames that a member has not been given yet, without its gaps, because it is away.</summary>
    internal readonly void Record(int member, ReplayBuffer buffer, in TurnBlocks blocks)
    {
        View view = ViewOf(member);
        TurnPosition at = view.From;
        for (int g = view.FirstGap; g > 0; g = _gaps[g - 1].Next)
        {
            blocks.Record(buffer, at, _gaps[g - 1].Before);
            at = _gaps[g - 1].After;
        }

        blocks.Record(buffer, at, blocks.End);
    }

    /// <summary>Forgets the views, because the blocks are released.</summary>
    internal readonly void Clear()
    {
        _gaps.Clear();
        foreach (int member in _special)
        {
            _views[member] = default;
        }

        _special.Clear();
    }

    private readonly View ViewOf(int member) => member < _views.Length ? _views[member] : default;

    private ref View Edit(int member)
    {
        if (_views.Length <= member)
        {
            Array.Resize(ref _views, Math.Max(member + 1, 2 * _views.Length));
        }

        ref View view = ref _views[member];
        if (view == default)
        {
            _special.Add(member);
        }

        return ref view;
    }

    /// <summary>The part of a turn's broadcasts that a member still gets.</summary>
    /// <param name="From">The member has been given the frames before this position.</param>
    /// <param name="FirstGap">Its first gap behind that position: an index into the list of gaps plus 1; 0 for none.</param>
    /// <param name="LastGap">Its last gap, in the same way.</param>
    private readonly record struct View(TurnPosition From, int FirstGap, int LastGap);

    /// <summary>Frames that a member does not get.</summary>
    private readonly record struct Gap(TurnPosition Before, TurnPosition After, int Next);
}
