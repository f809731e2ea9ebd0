namespace PlayChat.Core.Sessions;

/// <summary>The identity of a peer: one for each connection of a server, anonymous until it is bound to a user.</summary>
/// <remarks>
/// <para>A session ends with its connection. With <see cref="SessionOptions.ResumeWindow"/> a session that has a resume token survives a
/// broken connection: it is away for a while, and moves to the connection on which the client resumes.</para>
/// <para>Thread-safe, except <see cref="Items"/>.</para>
/// </remarks>
public sealed class Session
{
    private ISessionAttachment[]? _attachments = []; // only ever replaced; null once the session has ended
    private ISessionAttachment[]? _leaving; // from the end on: those that have not let the session go; only ever replaced
    private TaskCompletionSource? _left; // from the first wait on
    private Dictionary<string, object?>? _items;
    private long _loginExpiry = long.MaxValue;
    private long _silentSince;
    private long _silentFrames = -2; // of the connection, when a heartbeat was last asked for
    private volatile bool _isLoggingIn;
    private volatile SessionUser? _user;
    private volatile Connection _connection;
    private volatile ResumeState? _resume;

    internal Session(Connection connection)
        : this(connection, connection.Id)
    {
    }

    /// <summary>Makes a session that stands for one of another node.</summary>
    internal Session(Connection connection, long id)
    {
        _connection = connection;
        Id = id;
    }

    /// <summary>Unique within the process, and within a cluster that shares rooms: the id of the first connection of the session. It stays
    /// the same when the session resumes.</summary>
    public long Id { get; }

    /// <summary>The link to the peer. While the session is away it is the connection that broke; a resume replaces it.</summary>
    public Connection Connection => _connection;

    /// <summary>Whether the connection is lost and the session waits for its client to resume. May change at any moment.</summary>
    public bool IsAway => _resume is { IsAway: true };

    /// <summary>The user that has logged in; <see langword="null"/> before <see cref="SessionRegistry.Bind"/>.</summary>
    public SessionUser? User => _user;

    /// <summary>
    /// Data that your handlers keep with the session. Not thread-safe: use it only in handlers of this session, which run one at a time.
    /// Exception: after a resume, a handler of the former connection may still run until that connection is closed.
    /// </summary>
    public IDictionary<string, object?> Items => _items ??= new Dictionary<string, object?>(StringComparer.Ordinal);

    /// <summary>
    /// Set by the application while it checks a login that the peer has sent: neither <see cref="SessionOptions.LoginTimeout"/> nor
    /// <see cref="SessionOptions.IdleTimeout"/> ends the session meanwhile, and both begin anew afterwards. Default false.
    /// </summary>
    public bool IsLoggingIn
    {
        get => _isLoggingIn;
        set => _isLoggingIn = value;
    }

    /// <summary>What the session needs to resume; <see langword="null"/> if it has never had a token. The resume table sets it.</summary>
    internal ResumeState? Resume
    {
        get => _resume;
        set => _resume = value;
    }

    /// <summary>Whether the session has resumed at least once. Read it after <see cref="Connection"/>.</summary>
    internal bool HasMoved => _resume is { HasMoved: true };

    /// <summary>
    /// What rooms and broadcasts know of the connection. It is the lost one until a client that resumes has its answer, so nothing that
    /// they send comes before the answer.
    /// </summary>
    internal (Connection Connection, bool IsAway) Announced =>
        _resume?.Link is { } link ? (link.Connection, link.IsAway) : (_connection, false);

    /// <summary>
    /// Whether the client has received every frame that its former connection was given, as far as the client and the connection say. Ask
    /// after the last frame was given to that connection.
    /// </summary>
    internal bool HasReceivedAll(Connection former) =>
        _resume?.Link is { Former: { } known } link && known == former && former.HasSentExactly(link.FormerFrames);

    /// <summary>Whether it is no longer among the sessions of the server.</summary>
    internal bool HasEnded => Volatile.Read(ref _attachments) is null;

    /// <summary>Completes when the session has ended and all that it took part in has let it go: its rooms have called <c>OnLeave</c>.
    /// Keeps nothing of the session alive.</summary>
    internal Task Left
    {
        get
        {
            TaskCompletionSource left = LazyInitializer.EnsureInitialized(
                ref _left, static () => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
            CompleteIfLeft(Volatile.Read(ref _leaving));
            return left.Task;
        }
    }

    /// <summary>Completes when the sessions that the user had before have left their rooms. Set when the session is bound.</summary>
    internal Task FormerLeft { get; set; } = Task.CompletedTask;

    /// <summary>When the login expires, in ticks of the server's clock; by default never. Any thread may set and read it.</summary>
    internal long LoginExpiry
    {
        get => Volatile.Read(ref _loginExpiry);
        set => Volatile.Write(ref _loginExpiry, value);
    }

    /// <summary>Whether the login has expired: see <see cref="ExpireLogin"/>.</summary>
    public bool HasLoginExpired => LoginExpiry <= Connection.Services.Time.GetTimestamp();

    /// <summary>
    /// Lets the login expire: the sweep then closes the connection as <see cref="CloseReason.LoginExpired"/>, at most
    /// <see cref="SessionOptions.SweepInterval"/> later, and the session ends. <see cref="Hosting.LoginRules{TLogin, TAnswer}"/> calls it.
    /// Thread-safe.
    /// </summary>
    /// <param name="at">When, by the server's clock; <see langword="null"/>, or in more than a century, for never.</param>
    /// <remarks>
    /// A session that is away stays until its resume window ends: look at <see cref="HasLoginExpired"/> when it resumes. Call this before
    /// <see cref="SessionRegistry.IssueResumeTokenAsync"/>, because a login that expires is not stored.
    /// </remarks>
    public void ExpireLogin(DateTimeOffset? at)
    {
        TimeProvider time = Connection.Services.Time;
        double ticks = at is { } end ? (end - time.GetUtcNow()).TotalSeconds * time.TimestampFrequency : double.PositiveInfinity;
        // A clock that counts nanoseconds has ticks for 292 years; half of that is as good as never.
        LoginExpiry = ticks < long.MaxValue / 2 ? time.GetTimestamp() + (long)Math.Max(ticks, -(long.MaxValue / 2)) : long.MaxValue;
    }

    /// <summary>When the sweep last saw <see cref="IsLoggingIn"/>, in ticks of the server's clock. The sweep's alone.</summary>
    internal long LoggingInTimestamp { get; set; }

    /// <summary>When a heartbeat was last asked for, in ticks of the server's clock. The sweep's alone.</summary>
    internal long HeartbeatTimestamp { get; private set; }

    /// <summary>
    /// When the client has sent something last, other than the answer to a heartbeat, in ticks of the server's clock. Approximate.
    /// </summary>
    internal long LastUsed => IsUsed(Connection.FramesReceived) ? Connection.LastReceiveTimestamp : Volatile.Read(ref _silentSince);

    /// <summary>The session of a connection that a server accepted.</summary>
    /// <exception cref="InvalidOperationException">The connection is a client's.</exception>
    public static Session Of(Connection connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return connection.Get<Session>() ?? throw new InvalidOperationException("Only a connection that a server accepted has a session.");
    }

    internal void SetUser(SessionUser user) => _user = user;

    /// <summary>A heartbeat is asked for now. What comes next is its answer, if nothing else does.</summary>
    internal void NoteSilence(long now)
    {
        HeartbeatTimestamp = now;
        long frames = Connection.FramesReceived;
        if (IsUsed(frames))
        {
            Volatile.Write(ref _silentSince, Connection.LastReceiveTimestamp);
        }

        Volatile.Write(ref _silentFrames, frames);
    }

    /// <summary>Gives the session its next connection. Only the resume table calls it.</summary>
    internal void MoveTo(Connection connection) => _connection = connection;

    /// <summary>Lets everything that the session takes part in look at it again.</summary>
    internal void TellAttachments()
    {
        foreach (ISessionAttachment attachment in Volatile.Read(ref _attachments) ?? [])
        {
            attachment.OnSessionChanged(this);
        }
    }

    /// <summary>Adds something that must hear of the session's end.</summary>
    /// <param name="attachment">The object that hears of it.</param>
    /// <param name="max">The most attachments that the session may have, this one included.</param>
    /// <returns><see langword="false"/> when the session has ended already, or has as many as it may have.</returns>
    internal bool TryAttach(ISessionAttachment attachment, int max)
    {
        while (Volatile.Read(ref _attachments) is { } before && before.Length < max)
        {
            if (TryReplace(before, [.. before, attachment]))
            {
                return true;
            }
        }

        return false;
    }

    internal void Detach(ISessionAttachment attachment)
    {
        ISessionAttachment[]? before;
        do
        {
            before = Volatile.Read(ref _attachments);
        }
        while (before is not null && !TryReplace(before, Array.FindAll(before, other => other != attachment)));
    }

    /// <summary>What must hear of the session's end, in the order in which it was added; empty once the session has ended.</summary>
    internal ReadOnlySpan<ISessionAttachment> Attachments => Volatile.Read(ref _attachments);

    /// <summary>Ends it.</summary>
    /// <returns>What must hear of it; <see langword="null"/> when it has ended already.</returns>
    internal ISessionAttachment[]? End()
    {
        ISessionAttachment[]? attachments = Interlocked.Exchange(ref _attachments, null);
        if (attachments is not null)
        {
            Interlocked.Exchange(ref _leaving, attachments);
            CompleteIfLeft(attachments);
        }

        return attachments;
    }

    /// <summary>Notes that an attachment is done with a session that has ended. May be repeated.</summary>
    internal void LetGo(ISessionAttachment attachment)
    {
        ISessionAttachment[]? before, after;
        do
        {
            before = Volatile.Read(ref _leaving);
            after = before is null ? null : Array.FindAll(before, other => other != attachment);
        }
        while (!ReferenceEquals(Interlocked.CompareExchange(ref _leaving, after, before), before));

        CompleteIfLeft(after);
    }

    // The answer to a heartbeat is one frame. Another connection has fewer.
    private bool IsUsed(long frames) => frames - Volatile.Read(ref _silentFrames) is not (0 or 1);

    private void CompleteIfLeft(ISessionAttachment[]? leaving)
    {
        if (leaving is []) // was written with a full fence: this sees the source of a wait, or the wait sees that nothing is left
        {
            Volatile.Read(ref _left)?.TrySetResult();
        }
    }

    private bool TryReplace(ISessionAttachment[] before, ISessionAttachment[] after) =>
        ReferenceEquals(Interlocked.CompareExchange(ref _attachments, after, before), before);
}
