namespace PlayChat.Chat.Rooms.Members;

/// <summary>Brings what registers keep of players to the store. Thread-safe, and never waits.</summary>
/// <remarks>Read marks are written together, every <see cref="s_pause"/>; a change of another kind is written at once.</remarks>
internal sealed class MembershipWrites : IDisposable
{
    private const int MaxMentions = 1000; // in one write

    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(5);

    private readonly IChatStore _store;
    private readonly ServerSettings _settings;
    private readonly Func<Func<Task>, bool> _write;
    private readonly ITimer _timer;
    private readonly Dictionary<(long RoomId, long PlayerId), RoomMembership> _soon = []; // guarded by itself
    private List<RoomMention>? _mentions; // of the last write, while that waits; guarded by _soon

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
        if (_settings.RoomsLast)
        {
            Write(() => _store.SaveMembershipsAsync([changed]));
        }
    }

    /// <summary>Saves what a member has read, with the next marks.</summary>
    public void SaveMark(RoomMembership marked)
    {
        lock (_soon)
        {
            _soon[(marked.RoomId, marked.PlayerId)] = marked;
        }
    }

    /// <summary>Removes what is known of a player, or of all players of a room, where the player is 0.</summary>
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

            Write(() => _store.RemoveMembershipsAsync(roomId, playerId));
        }
    }

    /// <summary>Adds a mention.</summary>
    /// <remarks>Mentions that come while a write of others waits go with it, unless a change of another kind waits behind that: the same
    /// member may have left the room.</remarks>
    public void AddMention(RoomMention mention)
    {
        lock (_soon)
        {
            if (_mentions is not { Count: < MaxMentions })
            {
                List<RoomMention> noted = [];
                _mentions = Write(() => AddAsync(noted)) ? noted : null;
            }

            _mentions?.Add(mention);
        }
    }

    /// <summary>Waits until the store has had the changes so far. Marks that wait are none of them before <see cref="Flush"/>.</summary>
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

    /// <summary>Writes the mark of a member now, if it waits: the member may go on on another server.</summary>
    /// <returns>Completes when the store has had it.</returns>
    public Task FlushAsync(long roomId, long playerId) =>
        Flush(roomId, playerId) ? WrittenAsync(CancellationToken.None) : Task.CompletedTask;

    /// <summary>Writes the marks that wait: those of a room, of a player, or all.</summary>
    /// <param name="roomId">The room; 0 for every room.</param>
    /// <param name="playerId">The player; 0 for every player.</param>
    /// <returns>Whether there were any.</returns>
    public bool Flush(long roomId = 0, long playerId = 0)
    {
        lock (_soon)
        {
            RoomMembership[] marked =
            [
                .. _soon.Values.Where(mark =>
                    (roomId == 0 || mark.RoomId == roomId) && (playerId == 0 || mark.PlayerId == playerId)),
            ];
            foreach (RoomMembership mark in marked)
            {
                _soon.Remove((mark.RoomId, mark.PlayerId));
            }

            return marked.Length > 0 && Write(() => _store.SaveReadMarksAsync(marked));
        }
    }

    public void Dispose() => _timer.Dispose();

    private bool Write(Func<Task> write)
    {
        lock (_soon)
        {
            _mentions = null;
            return _write(write);
        }
    }

    private Task AddAsync(List<RoomMention> noted)
    {
        lock (_soon)
        {
            _mentions = _mentions == noted ? null : _mentions;
        }

        return _store.AddMentionsAsync(noted);
    }
}
