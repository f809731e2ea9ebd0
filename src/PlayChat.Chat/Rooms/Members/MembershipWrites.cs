namespace PlayChat.Chat.Rooms.Members;

/// <summary>Brings what registers keep of players to the store. Thread-safe, and never waits.</summary>
/// <remarks>Read marks are written together, every <see cref="s_pause"/>; a change of another kind is written at once.</remarks>
internal sealed class MembershipWrites : IDisposable
{
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(5);

    private readonly IChatStore _store;
    private readonly ServerSettings _settings;
    private readonly Func<Func<Task>, bool> _write;
    private readonly ITimer _timer;
    private readonly Dictionary<(long RoomId, long PlayerId), RoomMembership> _soon = []; // guarded by itself

    /// <param name="store">The store.</param>
    /// <param name="settings">Whether rooms last.</param>
    /// <param name="write">Queues a write, and tells whether it is not left out; writes keep their order.</param>
    /// <param name="time">The clock.</param>
    public MembershipWrites(IChatStore store, ServerSettings settings, Func<Func<Task>, bool> write, TimeProvider time)
    {
        _store = store;
        _settings = settings;
        _write = write;
        _timer = time.CreateTimer(_ => Flush(), state: null, s_pause, s_pause);
    }

    /// <summary>Saves what is known of a player.</summary>
    public void Save(RoomMembership changed)
    {
        if (!_settings.RoomsLast)
        {
            return;
        }

        lock (_soon)
        {
            _soon.Remove((changed.RoomId, changed.PlayerId)); // the change has a later mark
            _write(() => _store.SaveMembershipsAsync([changed]));
        }
    }

    /// <summary>Saves what is known of a player with the next marks.</summary>
    public void SaveSoon(RoomMembership marked)
    {
        lock (_soon)
        {
            _soon[(marked.RoomId, marked.PlayerId)] = marked;
        }
    }

    /// <summary>Removes what is known of a player, or of all players of a room.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="playerId">The player; 0 for all.</param>
    public void Remove(long roomId, long playerId)
    {
        if (!_settings.RoomsLast)
        {
            return;
        }

        lock (_soon)
        {
            _soon.Remove((roomId, playerId));
            foreach ((long RoomId, long PlayerId) key in playerId == 0 ? _soon.Keys.Where(key => key.RoomId == roomId).ToArray() : [])
            {
                _soon.Remove(key);
            }

            _write(() => _store.RemoveMembershipsAsync(roomId, playerId));
        }
    }

    /// <summary>What is known of a player, if the store does not have it yet.</summary>
    public RoomMembership NewestOf(RoomMembership stored)
    {
        lock (_soon)
        {
            return _soon.GetValueOrDefault((stored.RoomId, stored.PlayerId), stored);
        }
    }

    /// <summary>Waits until the store has had the changes so far.</summary>
    public async Task WrittenAsync(CancellationToken cancellationToken)
    {
        var written = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        if (_write(() =>
        {
            written.SetResult();
            return Task.CompletedTask;
        }))
        {
            await written.Task.WaitAsync(cancellationToken);
        }
    }

    /// <summary>Writes the marks that wait.</summary>
    public void Flush()
    {
        lock (_soon)
        {
            if (_soon.Count > 0)
            {
                RoomMembership[] marked = [.. _soon.Values];
                _soon.Clear();
                _write(() => _store.SaveMembershipsAsync(marked));
            }
        }
    }

    public void Dispose() => _timer.Dispose();
}
