namespace PlayChat.Chat.Hosting;

/// <summary>
/// Deletes messages that are older than <see cref="ChatLogSettings.RetainedMessageDays"/> from the database: at start and then once
/// an hour.
/// </summary>
/// <remarks>
/// It goes through the rooms and takes the oldest messages of each, so the database needs no index of these by time. A pause after each
/// batch, as long as the batch took, leaves the database to the chat for at least half of the time.
/// </remarks>
internal sealed class MessageRetention(IChatStore store, ServerSettings settings, TimeProvider time, ILogger<MessageRetention> logger)
    : BackgroundService
{
    /// <summary>Most messages in one statement.</summary>
    internal const int BatchSize = 500;

    private static readonly TimeSpan s_interval = TimeSpan.FromHours(1);

    /// <returns>How many messages were deleted.</returns>
    /// <exception cref="StorageException">The database cannot do its part.</exception>
    internal async Task<long> DeleteOldAsync(CancellationToken cancellationToken)
    {
        if (settings.ChatLog.RetainedMessageDays == 0)
        {
            return 0;
        }

        DateTimeOffset before = time.GetUtcNow().AddDays(-settings.ChatLog.RetainedMessageDays);
        long deleted = 0;
        long roomId = 0;
        IReadOnlyList<RoomPosition> rooms;
        while ((rooms = await store.GetRoomPositionsAsync(roomId, cancellationToken: cancellationToken)).Count > 0)
        {
            foreach (RoomPosition room in rooms)
            {
                deleted += await DeleteOldAsync(
                    limit => store.DeleteChatBeforeAsync(room.RoomId, before, limit, cancellationToken), cancellationToken);
            }

            roomId = rooms[^1].RoomId;
        }

        deleted += await DeleteOldAsync(limit => store.Direct.DeleteBeforeAsync(before, limit, cancellationToken), cancellationToken);
        await store.Reports.DeleteBeforeAsync(before, cancellationToken);
        if (deleted > 0)
        {
            ServerLog.MessagesDeleted(logger, deleted, settings.ChatLog.RetainedMessageDays);
        }

        return deleted;
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        while (true)
        {
            try
            {
                // The store's call may hang with the database; a stop does not wait for it.
                await DeleteOldAsync(stoppingToken).WaitAsync(stoppingToken);
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                // Of any kind: an exception that leaves this loop stops the server.
                ServerLog.MessagesNotDeleted(logger, e.Message);
            }

            await Task.Delay(s_interval, time, stoppingToken);
        }
    }

    private async Task<long> DeleteOldAsync(Func<int, Task<int>> delete, CancellationToken cancellationToken)
    {
        long deleted = 0;
        int batch;
        do
        {
            long started = time.GetTimestamp();
            batch = await delete(BatchSize);
            deleted += batch;
            if (batch > 0)
            {
                await Task.Delay(time.GetElapsedTime(started), time, cancellationToken);
            }
        }
        while (batch == BatchSize);

        return deleted;
    }
}
