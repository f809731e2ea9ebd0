using System.Security.Cryptography;
using Google.Protobuf;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using PlayChat.Core;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;
using PlayChat.Kpi;
using PlayChat.Server.Configuration;
using PlayChat.Server.Diagnostics;

namespace PlayChat.Server.Sessions;

/// <summary>The players that are logged in, and those that may resume after a broken connection. Thread-safe.</summary>
/// <remarks>
/// <para>A token is known by its hash alone. It is void when it was used; but a used one still works, for the resume window at most,
/// until the client has confirmed that it has the next one: the answer that carries that may be lost with the connection.</para>
/// <para>
/// Players that are away are bounded like connections (<c>PlayChat:Connections:MaxConnections</c>); beyond that a broken connection is a
/// leave at once.
/// </para>
/// </remarks>
internal sealed class PresenceRegistry : IHostedService, IDisposable
{
    private const int TokenBytes = 32;

    private readonly object _gate = new();
    private readonly Dictionary<string, Presence> _byToken = new(StringComparer.Ordinal); // guarded by _gate, as is all that follows
    private readonly Dictionary<long, Presence> _byPlayer = [];
    private readonly Queue<(Presence Presence, long AwaySince)> _away = new(); // by time; players that have resumed are skipped
    private readonly PlayChatServer _server;
    private readonly ServerSettings _settings;
    private readonly ShutdownState _shutdown;
    private readonly KpiExtras _extras;
    private readonly IHostApplicationLifetime _lifetime;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly ITimer _timer;
    private int _awayNow;
    private long _resumed;

    public PresenceRegistry(
        PlayChatServer server,
        ServerSettings settings,
        ShutdownState shutdown,
        KpiExtras extras,
        IHostApplicationLifetime lifetime,
        TimeProvider time,
        ILogger<PresenceRegistry> logger)
    {
        _server = server;
        _settings = settings;
        _shutdown = shutdown;
        _extras = extras;
        _lifetime = lifetime;
        _time = time;
        _logger = logger;
        _timer = time.CreateTimer(
            static state => ((PresenceRegistry)state!).EndLate(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The number of players that are away.</summary>
    public int AwayCount => Volatile.Read(ref _awayNow);

    private TimeSpan Window => _settings.Sessions.ResumeWindow;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _extras.Add("away", "sessions", () => AwayCount);
        _extras.Add("resumed", "sessions", () => Interlocked.Read(ref _resumed), isTotal: true);
        _server.OnDisconnected(OnDisconnected);
        // Before the rooms are drained for the first time, so that what they say then is stored as well.
        _lifetime.ApplicationStopping.Register(EndAllAway);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose() => _timer.Dispose();

    /// <summary>Binds an authenticated player to a session. An earlier login of the player ends, with its token.</summary>
    /// <param name="session">Of a connection that is logging in.</param>
    /// <param name="user">Who it is.</param>
    /// <param name="announcesLogout">See <see cref="Presence.AnnouncesLogout"/>.</param>
    /// <param name="token">The token with which the player may resume; empty when resuming is off.</param>
    /// <returns>The player's older session, which the caller tells and closes.</returns>
    public Session? LogIn(Session session, SessionUser user, bool announcesLogout, out ByteString token)
    {
        var presence = new Presence(user, announcesLogout, _settings.Rooms.MaxPerPlayer);
        Presence? earlier;
        Session? older;
        lock (_gate)
        {
            if (_byPlayer.TryGetValue(user.Id, out earlier))
            {
                Forget(earlier);
            }

            _byPlayer[user.Id] = presence;
            presence.MoveTo(session);
            session.Connection.Set(presence);
            token = IssueToken(presence);
            older = _server.Sessions.Bind(session, user);
        }

        earlier?.End();
        return older;
    }

    /// <summary>Moves a player to the session on which it resumes.</summary>
    /// <returns><see langword="null"/> when the token is not good.</returns>
    public Resumption? Resume(Session session, ByteString token)
    {
        string hash = HashOf(token.Span);
        lock (_gate)
        {
            if (!_byToken.TryGetValue(hash, out Presence? presence))
            {
                return null;
            }

            bool isUsed = hash == presence.UsedHash;
            if (isUsed && _time.GetElapsedTime(presence.UsedAt) > Window)
            {
                return null;
            }

            // Of the two that may be good, the one that was shown stays until the client has the next.
            _byToken.Remove((isUsed ? presence.TokenHash : presence.UsedHash) ?? "");
            presence.UsedHash = hash;
            if (!isUsed)
            {
                presence.UsedAt = _time.GetTimestamp(); // a retry makes it no younger
            }

            ByteString next = IssueToken(presence);
            ComeBack(presence);
            Session? older = presence.MoveTo(session);
            session.Connection.Set(presence);
            _server.Sessions.Bind(session, presence.User);
            _resumed++;
            return new Resumption(presence, older, next);
        }
    }

    /// <summary>The client has what was sent to it, with its new token: the used one is void.</summary>
    public void Confirm(Session session)
    {
        if (Presence.Of(session) is not { UsedHash: not null } presence)
        {
            return;
        }

        lock (_gate)
        {
            if (presence.IsOn(session) && presence.UsedHash is { } used)
            {
                _byToken.Remove(used);
                presence.UsedHash = null;
            }
        }
    }

    /// <summary>The player goes for good.</summary>
    public void LogOut(Session session) => EndIfOn(session, Presence.Of(session));

    private static string HashOf(ReadOnlySpan<byte> token) => Convert.ToHexString(SHA256.HashData(token));

    private static bool IsBreak(CloseReason reason, Presence presence) => reason switch
    {
        CloseReason.PeerReset or CloseReason.SlowConsumer or CloseReason.IdleTimeout or CloseReason.HandlerFault
            or CloseReason.TransportFault or CloseReason.TlsFailed => true,
        CloseReason.PeerClosed => presence.AnnouncesLogout,
        _ => false,
    };

    private void OnDisconnected(Session session, CloseReason reason)
    {
        if (Presence.Of(session) is not { } presence)
        {
            return;
        }

        bool isBreak = Window > TimeSpan.Zero && IsBreak(reason, presence);
        lock (_gate)
        {
            if (!presence.IsOn(session))
            {
                return; // the player has resumed elsewhere, or its presence has ended
            }

            // Checked under the gate: a stop ends the presences that are away by then, so none may become away after it.
            if (isBreak && !_shutdown.IsStopping && _awayNow < _server.Options.Connections.MaxConnections)
            {
                presence.MoveTo(null);
                long now = _time.GetTimestamp();
                presence.AwaySince = now;
                _away.Enqueue((presence, now));
                if (_away.Count == 1)
                {
                    _timer.Change(Window, Timeout.InfiniteTimeSpan);
                }

                Volatile.Write(ref _awayNow, _awayNow + 1); // last: a thread that sees it without the gate may rely on the timer
                ServerLog.Away(_logger, presence.User.Id, session.Id, reason);
                return;
            }
        }

        EndIfOn(session, presence);
    }

    private void EndIfOn(Session session, Presence? presence)
    {
        lock (_gate)
        {
            if (presence is null || !presence.IsOn(session))
            {
                return;
            }

            Forget(presence);
        }

        presence.End();
    }

    private void EndLate()
    {
        List<Presence> late = [];
        lock (_gate)
        {
            while (_away.TryPeek(out (Presence Presence, long AwaySince) first))
            {
                TimeSpan left = Window - _time.GetElapsedTime(first.AwaySince);
                if (first.Presence.AwaySince == first.AwaySince)
                {
                    if (left > TimeSpan.Zero)
                    {
                        _timer.Change(left, Timeout.InfiniteTimeSpan);
                        break;
                    }

                    Forget(first.Presence);
                    late.Add(first.Presence);
                }

                _away.Dequeue();
            }
        }

        foreach (Presence presence in late)
        {
            ServerLog.StayedAway(_logger, presence.User.Id);
            presence.End();
        }
    }

    private void EndAllAway()
    {
        List<Presence> away;
        lock (_gate)
        {
            away = _byPlayer.Values.Where(static presence => presence.AwaySince is not null).ToList();
            away.ForEach(Forget);
        }

        away.ForEach(static presence => presence.End());
    }

    private void ComeBack(Presence presence)
    {
        if (presence.AwaySince is not null)
        {
            presence.AwaySince = null;
            _awayNow--;
        }
    }

    private void Forget(Presence presence)
    {
        ComeBack(presence);
        _byToken.Remove(presence.TokenHash);
        _byToken.Remove(presence.UsedHash ?? "");
        // A newer login may have taken the place.
        if (_byPlayer.TryGetValue(presence.User.Id, out Presence? current) && current == presence)
        {
            _byPlayer.Remove(presence.User.Id);
        }
    }

    private ByteString IssueToken(Presence presence)
    {
        if (Window == TimeSpan.Zero)
        {
            return ByteString.Empty;
        }

        byte[] token = RandomNumberGenerator.GetBytes(TokenBytes);
        presence.TokenHash = HashOf(token);
        _byToken[presence.TokenHash] = presence;
        return UnsafeByteOperations.UnsafeWrap(token);
    }
}
