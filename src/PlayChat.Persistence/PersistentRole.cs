namespace PlayChat.Persistence;

/// <summary>Continues a room from its saved state, and saves it: at an interval, and when the server stops.</summary>
/// <remarks>
/// <para>The last save is final: afterwards the room handles nothing more of its clients, and its members end without a hook, because they
/// come back after the restart.</para>
/// <para>Invariant: <c>_arguments</c> has the members. Only the room's turn uses the role, except where it says so.</para>
/// </remarks>
internal sealed class PersistentRole(RoomPersistence persistence, string name, string kind, RoomImage? image) : RoomRole
{
    private readonly Dictionary<Session, byte[]> _arguments = [];
    private byte[] _joining = [];
    private byte[]? _saved; // the content that was given to the writer last
    private volatile bool _isHandedOver;
    private bool _isBroken; // its state was not readable, so it must not be replaced

    /// <summary>The room's name. Thread-safe.</summary>
    internal string Name => name;

    /// <summary>What the room continues; <see langword="null"/> for a new one. Thread-safe.</summary>
    internal RoomImage? Image => image;

    /// <summary>Whether the room was saved for the last time. Thread-safe.</summary>
    internal bool IsHandedOver => _isHandedOver;

    internal override bool IsClustered => false;

    internal override RestoredRoom? Restored => image?.Saved;

    internal override bool KeepsArguments => true;

    public override void OnCreate()
    {
        Room.RunGuarded(static hooks => hooks.OnCreate(), Hooks, nameof(OnCreate));
        if (image is not null)
        {
            Restore(image);
        }

        Room.Repeat(persistence.Options.SaveInterval, () => Save(isComplete: false));
        Save(isComplete: false);
    }

    public override void OnTick(in RoomTick tick)
    {
        if (!_isHandedOver)
        {
            Hooks.OnTick(in tick);
        }
    }

    public override void OnEmpty()
    {
        if (!_isHandedOver)
        {
            Hooks.OnEmpty();
        }
    }

    public override void Run(in RoomItem item)
    {
        // Jobs run: somebody awaits them. What a client sends now would be done and forgotten.
        if (!_isHandedOver || item.Job is not null)
        {
            Hooks.Run(in item);
        }
    }

    public override void OnSessionChanged(Session session)
    {
        if (_isHandedOver)
        {
            Room.Unseat(session);
        }
        else if (!session.HasEnded || !persistence.IsStopping)
        {
            Hooks.OnSessionChanged(session);
        }

        // Otherwise it was away, or has gone while the server stops. It keeps its seat for the last save, to come back.
    }

    public override void TakeOut(Session member)
    {
        if (_isHandedOver)
        {
            Room.Unseat(member);
        }
        else
        {
            Hooks.TakeOut(member);
        }
    }

    public override void OnEnded()
    {
        Hooks.OnEnded();
        persistence.OnEnded(this, isOver: !_isHandedOver && !_isBroken);
    }

    /// <summary>Saves the room for the last time, because the server stops. Thread-safe.</summary>
    internal async Task HandOverAsync(CancellationToken cancellationToken)
    {
        await Room.PostAsync(static (Room _, PersistentRole role) => role.HandOver(), this, cancellationToken).ConfigureAwait(false);
        await Room.DrainAsync(cancellationToken).ConfigureAwait(false);
    }

    internal override void OnArgument(byte[] argument) => _joining = argument;

    internal override void OnSeated(Session session)
    {
        _arguments[session] = _joining;
        _joining = [];
    }

    internal override void OnUnseated(Session session) => _arguments.Remove(session);

    private void Restore(RoomImage saved)
    {
        _isBroken = saved.State.Length > 0;
        Room.RunGuarded(
            static state =>
            {
                if (state.saved.State.Length > 0)
                {
                    state.Role.Room.Restore(state.saved.State, isOwned: true);
                    state.Role._isBroken = false;
                }
            },
            (Role: this, saved),
            "OnRestore");
        if (_isBroken)
        {
            PersistenceLog.RestoreFailed(persistence.Logger, Room.Id, Room.Name);
        }

        foreach ((SessionUser user, byte[] argument) in saved.Members)
        {
            Room.RunGuarded(
                static seat => seat.Role.Restore(seat.user, seat.argument), (Role: this, user, argument), "The return of a member");
        }

        PersistenceLog.RoomRestored(persistence.Logger, Room.Id, Room.Name, saved.Saved!.SavedAt, _arguments.Count, saved.State.Length);
    }

    private void Restore(SessionUser user, byte[] argument)
    {
        _joining = argument;
        if (persistence.SessionOf(user) is { } session && Room.Restore(session, argument) && !session.Announced.IsAway)
        {
            Room.CallReturned(session, isRecovered: false); // it was here before the room was
        }

        _joining = []; // also where the room has refused the member
    }

    private void HandOver()
    {
        Save(isComplete: true);
        _isHandedOver = true;
    }

    private void Save(bool isComplete)
    {
        if (_isHandedOver || _isBroken || WriteState() is not { } state)
        {
            return;
        }

        (SessionUser, byte[])[] members =
            [.. _arguments.Where(static seat => seat.Key.User is not null).Select(static seat => (seat.Key.User!, seat.Value))];
        byte[] content = new RoomImage(Room.Id, kind, Room.CopySettings(), members, state).WriteContent();
        if (isComplete || _saved is null || !_saved.AsSpan().SequenceEqual(content))
        {
            _saved = content;
            persistence.Writer.Save(name, RoomImage.Seal(content, persistence.Time.GetUtcNow(), isComplete));
        }
    }

    /// <returns><see langword="null"/> if the room has failed, or has written too much.</returns>
    private byte[]? WriteState()
    {
        if (Room.SnapshotGuarded("OnSnapshot") is not { } buffer)
        {
            return null;
        }

        if (buffer.WrittenCount > persistence.Options.MaxStateBytes)
        {
            PersistenceLog.StateTooLarge(persistence.Logger, Room.Id, Room.Name, buffer.WrittenCount, persistence.Options.MaxStateBytes);
            return null;
        }

        return buffer.WrittenSpan.ToArray();
    }
}
