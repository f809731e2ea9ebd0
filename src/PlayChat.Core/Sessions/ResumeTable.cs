using System.Security.Cryptography;

namespace PlayChat.Core.Sessions;

/// <summary>The sessions that may resume, their tokens, and those that are away. A server without a resume window has none.</summary>
/// <remarks>
/// <para>A token is kept as its hash only. A used token stays valid until the client has confirmed the next one, because the answer that
/// carries the next one may be lost with the connection; at most for the window, counted from its first use.</para>
/// <para>Invariant: which connection a session has, whether it is away, and which tokens it has change under <c>_gate</c> only. Nothing of
/// the application and no attachment is called under the gate.</para>
/// <para>Thread-safe.</para>
/// </remarks>
internal sealed class ResumeTable : IDisposable
{
    internal const int TokenBytes = 32;

    private const int MaxStoredHashes = 8; // of a session that resumes again and again while the store fails

    private readonly object _gate = new();
    private readonly Dictionary<string, ResumeState> _byToken = new(StringComparer.Ordinal); // guarded by _gate, like the next two
    private readonly Queue<(ResumeState State, long AwaySince)> _away = new(); // by time; sessions that have resumed are skipped
    private bool _isStopping;
    private readonly ConcurrentDictionary<long, Session> _detached = new(); // sessions that their id does not lead to: away or moved
    private readonly TimeSpan _window;
    private readonly int _maxAway;
    private readonly TimeProvider _time;
    private readonly ServerMetrics _metrics;
    private readonly ITimer _timer;
    private int _awayCount; // written under _gate

    internal ResumeTable(TimeSpan window, int maxAway, TimeProvider time, ServerMetrics metrics)
    {
        _window = window;
        _maxAway = maxAway;
        _time = time;
        _metrics = metrics;
        _timer = time.CreateTimer(
            static state => ((ResumeTable)state!).EndLate(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Ends a session whose window has passed. Called outside the gate. The registry sets it before sessions exist.</summary>
    internal Action<Session, CloseReason>? End { get; set; }

    /// <summary>Whether rooms replay what a member has missed, so that it matters what its client has received.</summary>
    internal bool KeepsFrames { get; init; }

    internal int AwayCount => Volatile.Read(ref _awayCount);

    /// <summary>The sessions that are away, in no order, without a copy.</summary>
    internal IEnumerable<Session> Away => _detached.Select(static entry => entry.Value).Where(static session => session.IsAway);

    public void Dispose() => _timer.Dispose();

    /// <summary>Finds a session that is away or has moved by its id.</summary>
    internal Session? Find(long id) => _detached.GetValueOrDefault(id);

    /// <summary>Issues a token; earlier ones of the session become void.</summary>
    /// <returns>The token; empty if the session has ended or is away, or if the server stops.</returns>
    internal byte[] Issue(Session session, bool closeIsLeave)
    {
        lock (_gate)
        {
            ResumeState state = session.Resume ?? new ResumeState(session);
            session.Resume = state;
            // Full barrier before the look at the end: an end that comes later finds the state and calls Forget.
            Interlocked.MemoryBarrier();
            if (session.HasEnded || state.IsAway || _isStopping)
            {
                return [];
            }

            VoidTokens(state);
            state.CloseIsLeave = closeIsLeave;
            return NewToken(state);
        }
    }

    /// <summary>Moves a session to another connection, whose own session ends.</summary>
    /// <returns><see langword="null"/> if the token is not valid, or the new connection has ended.</returns>
    /// <exception cref="InvalidOperationException">The connection's own session is bound to a user.</exception>
    internal ResumeMove? TryMove(Connection connection, ReadOnlySpan<byte> token)
    {
        string hash = HashOf(token);
        lock (_gate)
        {
            Session own = Session.Of(connection);
            if (own.User is { } user)
            {
                throw new InvalidOperationException($"Connection {connection.Id} is logged in as {user.Name}; resume on a new connection.");
            }

            // A connection that is open here comes to OnConnectionEnded later, and then with the session that has moved to it.
            if (_isStopping
                || !connection.IsOpen
                || !_byToken.TryGetValue(hash, out ResumeState? state)
                || state.Session.HasEnded
                || own == state.Session)
            {
                return null;
            }

            bool isUsed = hash == state.UsedHash;
            Connection former = state.Session.Connection;
            if ((isUsed && _time.GetElapsedTime(state.UsedAt) > _window)
                || (former.CloseReason is not CloseReason.None and var reason && !IsBreak(reason, state))
                || own.End() is not { } ended)
            {
                return null;
            }

            if (own.Resume is { } ownState)
            {
                ForgetUnderGate(ownState);
            }

            state.IsRestored &= isUsed; // the token came with an answer
            byte[] next = Rotate(state, hash, isUsed);
            ComeBack(state);
            state.SetMoved(); // before the connection changes: see RoomOutbox.ConnectionOf
            state.SetLost(); // the rooms learn of the new connection by Announce
            _detached[state.Session.Id] = state.Session;
            state.Session.MoveTo(connection);
            connection.Set(state.Session);
            return new ResumeMove(state.Session, next, former, IsRetry: isUsed, state.IsRestored, own, ended);
        }
    }

    /// <summary>Lets the rooms see the connection to which a session has moved, unless that is out of date.</summary>
    /// <returns>Whether the rooms have to be told.</returns>
    internal bool TryAnnounce(Session session, SessionLink link)
    {
        lock (_gate)
        {
            if (session.HasEnded || session.Resume is not { IsAway: false } state || session.Connection != link.Connection)
            {
                return false;
            }

            state.SetReturned(link);
            return true;
        }
    }

    /// <summary>Gives a session its first token here, in place of one from before a restart.</summary>
    /// <param name="session">Bound to the user of the record.</param>
    /// <param name="token">What the client has shown; it stays valid until the client has confirmed the next one.</param>
    /// <param name="record">The record, which the store has.</param>
    /// <returns>The next token; empty if the session has ended, or if the server stops.</returns>
    internal byte[] Restore(Session session, ReadOnlySpan<byte> token, ResumeRecord record)
    {
        lock (_gate)
        {
            byte[] next = Issue(session, record.CloseIsLeave);
            if (next.Length > 0)
            {
                ResumeState state = session.Resume!;
                state.StoredHashes = [record.TokenHash];
                state.UsedHash = HashOf(token);
                state.UsedAt = _time.GetTimestamp();
                state.IsRestored = true;
                _byToken[state.UsedHash] = state;
            }

            return next;
        }
    }

    /// <summary>The client has the newest token: the used one becomes void.</summary>
    /// <param name="connection">Where the client has shown that. A connection that the session has left says nothing.</param>
    /// <returns>The session; <see langword="null"/> if nothing has changed.</returns>
    internal Session? TryConfirm(Connection connection)
    {
        lock (_gate)
        {
            if (connection.Get<Session>() is not { Resume: { UsedHash: { } used } state } session || session.Connection != connection)
            {
                return null;
            }

            _byToken.Remove(used);
            state.UsedHash = null;
            state.IsRestored = false;
            return session;
        }
    }

    /// <summary>Describes the present tokens of a session for the store, and notes that they may be stored.</summary>
    /// <returns><see langword="null"/> if the session has no token or no user.</returns>
    internal ResumeRecord? TryTakeRecord(Session session, DateTimeOffset expiresAt)
    {
        lock (_gate)
        {
            // A login for a limited time is not stored: restored, it would have no limit.
            if (session.Resume is not { TokenHash: { } hash } state || session.User is not { } user || session.LoginExpiry != long.MaxValue)
            {
                return null;
            }

            string[] stored = state.StoredHashes;
            if (!stored.Contains(hash, StringComparer.Ordinal))
            {
                // At the bound the first one stays: if the store has saved any of them, it most likely has that one.
                state.StoredHashes = stored.Length < MaxStoredHashes ? [.. stored, hash] : [stored[0], .. stored[2..], hash];
            }

            return new ResumeRecord
            {
                User = user,
                TokenHash = hash,
                UsedTokenHash = state.UsedHash,
                CloseIsLeave = state.CloseIsLeave,
                ExpiresAt = expiresAt,
            };
        }
    }

    /// <summary>Notes that the store has saved a record of <see cref="TryTakeRecord"/>, which has replaced the earlier ones.</summary>
    internal void OnSaved(Session session, ResumeRecord record)
    {
        lock (_gate)
        {
            string[] stored = session.Resume!.StoredHashes;
            int at = Array.IndexOf(stored, record.TokenHash);
            // One that a later save has outrun may have replaced that one in the store.
            session.Resume.StoredHashes = at < 0 ? [record.TokenHash, .. stored] : stored[at..];
        }
    }

    /// <summary>Decides what the end of a connection means for its session.</summary>
    /// <param name="connection">The connection that has ended.</param>
    /// <param name="reason">The reason.</param>
    /// <param name="isAway">Whether the session is away now, so that its rooms have to be told.</param>
    /// <returns>The session that is away or has to end; <see langword="null"/> if the session has moved to another connection.</returns>
    internal Session? OnConnectionEnded(Connection connection, CloseReason reason, out bool isAway)
    {
        lock (_gate)
        {
            isAway = false;
            if (connection.Get<Session>() is not { } session || session.Connection != connection)
            {
                return null;
            }

            if (session.Resume is not { } state)
            {
                return session;
            }

            if (session.HasEnded
                || state.TokenHash is null
                || !IsBreak(reason, state)
                || _isStopping
                || _awayCount >= _maxAway)
            {
                ForgetUnderGate(state);
                return session;
            }

            isAway = true;
            GoAway(state, reason);
            return session;
        }
    }

    /// <summary>Lets a session of an earlier run begin away, without a token.</summary>
    /// <returns><see langword="false"/> if as many are away as may be, or if the server stops.</returns>
    internal bool TryBeginAway(Session session)
    {
        lock (_gate)
        {
            if (_isStopping || _awayCount >= _maxAway)
            {
                return false;
            }

            var state = new ResumeState(session) { IsUnclaimed = true };
            session.Resume = state;
            GoAway(state, CloseReason.ServerShutdown);
            return true;
        }
    }

    /// <summary>Gives a session of an earlier run the token of its user, which the client has shown and the store knows.</summary>
    /// <returns><see langword="false"/>, and nothing has changed, if the session is another user's or has tokens of its own.</returns>
    internal bool TryAdopt(Session session, ResumeRecord record, ReadOnlySpan<byte> token)
    {
        lock (_gate)
        {
            if (session.Resume is not { IsUnclaimed: true, IsAway: true } state || session.HasEnded || session.User?.Id != record.User.Id)
            {
                return false;
            }

            state.IsUnclaimed = false;
            state.CloseIsLeave = record.CloseIsLeave;
            session.SetUser(record.User); // with what the application keeps of it
            state.TokenHash = HashOf(token);
            state.StoredHashes = [record.TokenHash];
            _byToken[state.TokenHash] = state;
            return true;
        }
    }

    /// <summary>Makes the tokens of a session void, because it has ended or its user has logged in again.</summary>
    /// <returns>Whether the session was away.</returns>
    internal bool Forget(Session session)
    {
        if (session.Resume is not { } state)
        {
            return false;
        }

        lock (_gate)
        {
            return ForgetUnderGate(state);
        }
    }

    /// <summary>Lets no session resume or become away any more.</summary>
    /// <returns>The sessions that are away, which the caller ends.</returns>
    internal List<Session> Stop()
    {
        List<Session> away = [];
        lock (_gate)
        {
            _isStopping = true;
            foreach ((ResumeState state, long awaySince) in _away)
            {
                if (state.AwaySince == awaySince)
                {
                    away.Add(state.Session);
                    ForgetUnderGate(state);
                }
            }

            _away.Clear();
        }

        return away;
    }

    internal static string HashOf(ReadOnlySpan<byte> token) => Convert.ToHexString(SHA256.HashData(token));

    /// <summary>
    /// Whether a session has ended only because its connection broke while the server stops. Its user may resume after the restart.
    /// </summary>
    internal bool HasBrokenAtStop(Session session, CloseReason reason)
    {
        lock (_gate)
        {
            return _isStopping && session.Resume is { } state && IsBreak(reason, state);
        }
    }

    private static bool IsBreak(CloseReason reason, ResumeState state) => reason switch
    {
        CloseReason.PeerReset or CloseReason.SlowConsumer or CloseReason.IdleTimeout or CloseReason.HandlerFault
            or CloseReason.TransportFault or CloseReason.TlsFailed or CloseReason.FrameTimeout => true,
        CloseReason.PeerClosed => !state.CloseIsLeave,
        _ => false,
    };

    private byte[] NewToken(ResumeState state)
    {
        byte[] token = RandomNumberGenerator.GetBytes(TokenBytes);
        state.TokenHash = HashOf(token);
        _byToken[state.TokenHash] = state;
        return token;
    }

    /// <summary>Replaces the newest token. Of the two valid ones, the one that was shown stays until the next is confirmed.</summary>
    private byte[] Rotate(ResumeState state, string shown, bool isUsed)
    {
        _byToken.Remove((isUsed ? state.TokenHash : state.UsedHash) ?? "");
        state.UsedHash = shown;
        if (!isUsed)
        {
            state.UsedAt = _time.GetTimestamp(); // a retry makes it no younger
        }

        return NewToken(state);
    }

    private void VoidTokens(ResumeState state)
    {
        _byToken.Remove(state.TokenHash ?? "");
        _byToken.Remove(state.UsedHash ?? "");
        state.TokenHash = null;
        state.UsedHash = null;
    }

    private bool ForgetUnderGate(ResumeState state)
    {
        VoidTokens(state);
        if (state.Session.HasEnded || state.IsAway)
        {
            _detached.TryRemove(state.Session.Id, out _);
        }

        return ComeBack(state);
    }

    private void GoAway(ResumeState state, CloseReason reason)
    {
        long now = _time.GetTimestamp();
        state.AwaySince = now;
        state.AwayReason = reason;
        state.SetLost();
        _detached[state.Session.Id] = state.Session;
        _away.Enqueue((state, now));
        if (_away.Count == 1)
        {
            _timer.Change(_window, Timeout.InfiniteTimeSpan);
        }

        _metrics.Add(Counter.SessionsAway);
        Volatile.Write(ref _awayCount, _awayCount + 1); // last: a thread that reads it without the gate may rely on the timer
    }

    private bool ComeBack(ResumeState state)
    {
        if (state.AwaySince is null)
        {
            return false;
        }

        state.AwaySince = null;
        _metrics.Add(Counter.SessionsNotAway);
        Volatile.Write(ref _awayCount, _awayCount - 1);
        return true;
    }

    private void EndLate()
    {
        List<ResumeState> late = [];
        lock (_gate)
        {
            while (_away.TryPeek(out (ResumeState State, long AwaySince) first))
            {
                if (first.State.AwaySince == first.AwaySince)
                {
                    TimeSpan left = _window - _time.GetElapsedTime(first.AwaySince);
                    if (left > TimeSpan.Zero)
                    {
                        _timer.Change(left, Timeout.InfiniteTimeSpan);
                        break;
                    }

                    ForgetUnderGate(first.State);
                    late.Add(first.State);
                }

                _away.Dequeue();
            }
        }

        foreach (ResumeState state in late)
        {
            End?.Invoke(state.Session, state.AwayReason);
        }
    }
}
