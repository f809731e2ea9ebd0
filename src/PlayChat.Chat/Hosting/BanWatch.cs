using PlayChat.Chat.Accounts;
using PlayChat.Chat.Handlers;
using PlayChat.Core.Connections;

namespace PlayChat.Chat.Hosting;

/// <summary>
/// Reads the bans from the database before the server listens, then every <see cref="AccountSettings.BanInterval"/> and at a reload, and
/// carries them out: it refuses connections of banned addresses, and ends the open sessions of the banned.
/// </summary>
/// <remarks>
/// It reads the database even when no player chats or logs in, so it also notices that the database does not answer. The chat log has
/// a warning of its own, for its records.
/// </remarks>
internal sealed class BanWatch(
    PlayChatServer server,
    IChatStore store,
    BanList bans,
    ServerSettings settings,
    Reloader reloader,
    TimeProvider time,
    ILogger<BanWatch> logger) : BackgroundService
{
    private static readonly TimeSpan s_warnAfter = TimeSpan.FromSeconds(5);

    private readonly SemaphoreSlim _turn = new(1); // the interval and a reload may meet
    private volatile bool _isStarted;
    private bool _isRemovalFailing; // guarded by _turn

    /// <exception cref="StorageException">Reading the database failed.</exception>
    public override async Task StartAsync(CancellationToken cancellationToken)
    {
        await RefreshAsync(cancellationToken).WaitAsync(cancellationToken);
        reloader.Add("bans", () => RefreshAsync(CancellationToken.None));
        server.OnConnected(RefuseBanned).OnStarting(_ => _isStarted = true);
        await base.StartAsync(cancellationToken);
    }

    public override void Dispose()
    {
        base.Dispose();
        _turn.Dispose();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        bool isFailing = false;
        long? silentSince = null; // timestamp of the read that was logged as not answered
        while (true)
        {
            await Task.Delay(settings.Accounts.BanInterval, time, stoppingToken);
            long began = time.GetTimestamp();
            try
            {
                // The store's call may hang with the database; a stop does not wait for it.
                Task refresh = RefreshAsync(stoppingToken);
                await refresh.WaitAsync(s_warnAfter, time, stoppingToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                if (!refresh.IsCompleted && !isFailing && silentSince is null && !stoppingToken.IsCancellationRequested)
                {
                    silentSince = began;
                    ServerLog.DatabaseSilent(logger, store.Name, time.GetUtcNow() - time.GetElapsedTime(began));
                }

                await refresh.WaitAsync(stoppingToken);
                if (silentSince is { } since)
                {
                    ServerLog.DatabaseAnswers(logger, store.Name, time.GetElapsedTime(since).TotalSeconds);
                }

                silentSince = null;
                isFailing = false;
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                // Of any kind, such as that of a row that was written by hand: an exception that leaves this loop stops the server.
                if (!isFailing)
                {
                    ServerLog.BansNotRead(logger, e.Message);
                }

                isFailing = true;
            }
        }
    }

    /// <summary>Reads the bans, ends the sessions of the banned, and removes the bans that have expired.</summary>
    private async Task RefreshAsync(CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken);
        try
        {
            DateTimeOffset now = time.GetUtcNow();
            IReadOnlyList<Ban> found = await store.ListBansAsync(cancellationToken);
            bans.Replace(new BanTable([.. found.Where(ban => !ban.HasExpired(now))]));
            if (found.Any(ban => ban.HasExpired(now)))
            {
                await RemoveExpiredAsync(now, cancellationToken);
            }
        }
        finally
        {
            _turn.Release();
        }

        if (_isStarted)
        {
            EndSessions();
        }
    }

    // The bans that were read are in effect without it: the database may be read-only, or its disk full.
    private async Task RemoveExpiredAsync(DateTimeOffset now, CancellationToken cancellationToken)
    {
        try
        {
            await store.RemoveExpiredBansAsync(now, cancellationToken);
            _isRemovalFailing = false;
        }
        catch (StorageException e)
        {
            if (!_isRemovalFailing)
            {
                ServerLog.BansNotRemoved(logger, e.Message);
            }

            _isRemovalFailing = true;
        }
    }

    private void RefuseBanned(Session session)
    {
        // Reading the address allocates it.
        if (bans.Table.HasNetworks && bans.FindAddress(session.Connection.RemoteEndPoint) is { } ban)
        {
            ServerLog.AddressBanned(logger, session.Id, session.Connection.RemoteEndPoint, ban.Subject.Text);
            BanNotice.TellAndClose(session.Connection, ban, time.GetUtcNow());
        }
    }

    // Each time, not only for new bans: a login that was under way when the ban came may have entered after the last look.
    private void EndSessions()
    {
        BanTable table = bans.Table;
        foreach (Ban ban in table.All)
        {
            // Also a session that is away.
            if (ban.Subject.Kind == BanKind.Account)
            {
                foreach (Session session in server.Sessions.FindAllOfUser(ban.Subject.Text))
                {
                    End(session, ban);
                }
            }
        }

        if (!table.HasNetworks)
        {
            return;
        }

        foreach (Session session in server.Sessions.All)
        {
            if (bans.FindAddress(session.Connection.RemoteEndPoint) is { } ban)
            {
                End(session, ban);
            }
        }
    }

    private void End(Session session, Ban ban)
    {
        if (session.User is { } user)
        {
            ServerLog.SessionBanned(logger, user.Id, user.Name, session.Id, ban.Subject.Text);
        }

        Connection connection = session.Connection;
        _ = server.Sessions.EndAsync(session).AsTask(); // has ended now; a room that hangs must not hold up the other bans
        BanNotice.TellAndClose(connection, ban, time.GetUtcNow());
    }
}
