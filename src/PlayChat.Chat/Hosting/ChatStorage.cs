using PlayChat.Chat.Accounts;
using PlayChat.Chat.ChatLog;
using PlayChat.Chat.Kpi;
using PlayChat.Chat.Rooms;
using PlayChat.Core;
using PlayChat.Kpi;
using PlayChat.Storage.ChatLog;

namespace PlayChat.Chat.Hosting;

/// <summary>Opens the database before the server listens, and has everything stored after it has stopped.</summary>
internal sealed class ChatStorage(
    PlayChatServer server,
    ServerSettings settings,
    IChatStore store,
    KpiExtras extras,
    StorageFigures figures,
    ChatLogWriter log,
    RoomArchive rooms,
    DirectWriter direct,
    ServerExit exit,
    ILogger<ChatStorage> logger,
    ChatLogSpill? spill = null) : IHostedService
{
    // For what a stop writes after the messages: how far the rooms had come, and that the database is free.
    private static readonly TimeSpan s_lastTime = TimeSpan.FromSeconds(2);

    /// <summary>Opens the database. A database that does not answer is abandoned when the server is asked to stop.</summary>
    /// <exception cref="StorageException">Opening the database failed.</exception>
    public Task StartAsync(CancellationToken cancellationToken) =>
        Task.Run(() => OpenAsync(cancellationToken), CancellationToken.None).WaitAsync(cancellationToken);

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        using var time = new CancellationTokenSource(settings.ChatLog.StopTimeout + s_lastTime);
        using var last = CancellationTokenSource.CreateLinkedTokenSource(time.Token, cancellationToken);
        ChatLogStopReport report = await log.StopAsync(cancellationToken);
        bool isWhole = report.NotStoredBySink.GetValueOrDefault(store.Name) == 0; // what only a day file lacks is not lost
        if (!await rooms.StopAsync(isWhole, last.Token) || !isWhole)
        {
            exit.NoteLoss();
        }

        await direct.StopAsync(last.Token);
        try
        {
            await store.ReleaseAsync().WaitAsync(last.Token);
        }
        catch (OperationCanceledException) when (last.IsCancellationRequested)
        {
            // The database does not answer. It frees the lock when the process has ended.
        }
    }

    private async Task OpenAsync(CancellationToken cancellationToken)
    {
        await store.InitializeAsync(cancellationToken);
        if (!settings.Cluster.IsOn)
        {
            await store.ClaimAsync(DatabaseOwner.OfThisProcess(), cancellationToken);
            _ = StopWhenLostAsync();
        }

        spill?.Open();
        if (spill is { IsEmpty: false })
        {
            // Before anything new, because rooms continue behind the messages in it.
            ServerLog.SpillImported(logger, await spill.ImportAsync(store, cancellationToken));
        }

        // (room, sequence) is the log's key: a room of this run must not get an id that has messages.
        // The nodes of a cluster number rooms by their incarnations, and look each room up when a player joins it.
        long lastRoomId = settings.Cluster.IsOn ? long.MaxValue / 2 : await store.GetLastRoomIdAsync(cancellationToken);
        if (!settings.Cluster.IsOn)
        {
            await rooms.LoadAsync(settings.Rooms.MaxRooms, cancellationToken);
        }

        AddFigures();
        server.UseResumeStore(new ChatResumeStore(store, settings.PlayChat.Sessions.MaxPerUser > 1));
        server.OnStarting(starting => starting.Rooms.ContinueAfter(lastRoomId)).OnDisconnected(LogGone);
    }

    /// <summary>Ends the server when another one has taken its database: it can store nothing any more.</summary>
    private async Task StopWhenLostAsync()
    {
        StorageException lost = await store.OwnershipLost;
        ServerLog.DatabaseLost(logger, lost.Message);
        exit.Fail();
    }

    private void AddFigures()
    {
        figures.Add(extras);
        extras.Add("away", "sessions", () => server.Sessions.AwayCount);
        extras.Add("resumed", "sessions", () => server.Metrics.ReadAll().Get("playchat.sessions.resumed"), isTotal: true);
        extras.Add("chat queued", "messages", () => log.Metrics.Queued);
        extras.Add("chat in spill", "messages", () => log.Metrics.InSpill);
        extras.Add("chat stored", "messages", () => log.Metrics.InDatabase, isTotal: true);
        extras.Add("chat not stored", "messages", () => log.Metrics.NotStored, isTotal: true);
        extras.Add("chat not in file", "messages", () => log.Metrics.GivenUp, isTotal: true, isDetail: true);
    }

    private void LogGone(Session session, CloseReason reason)
    {
        if (session.User is { } user)
        {
            ServerLog.Gone(logger, user.Id, user.Name, session.Id, reason);
        }
    }
}
