using Microsoft.Extensions.Logging;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Server.ChatLog;
using PlayChat.Server.Diagnostics;

namespace PlayChat.Server.Cluster;

/// <summary>
/// Looks for nodes whose leases have ended, and does for them what they cannot do any more: it ends them in every log, stores their
/// messages, and announces that their members have left.
/// </summary>
/// <remarks>
/// One sweep runs at a time, and the loop of the node's lives begins it. The directory decides whether this node may declare others lost.
/// </remarks>
/// <param name="interval">From the beginning of a sweep to the beginning of the next one.</param>
/// <param name="others">Learns which nodes live.</param>
/// <param name="log">Stores messages.</param>
/// <param name="onEmptied">Called when a room has lost members of a lost node.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">Where to log.</param>
/// <param name="stopping">The node stops.</param>
internal sealed class NodeSweep(
    TimeSpan interval,
    OtherNodes others,
    ChatLogGate log,
    Func<ClusterLife, long, Task> onEmptied,
    TimeProvider time,
    ILogger logger,
    CancellationToken stopping)
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_downTimeout = TimeSpan.FromSeconds(10);

    private long _began = time.GetTimestamp();
    private Task _sweeping = Task.CompletedTask;

    /// <summary>Begins a sweep when the interval has passed and the sweep before has ended.</summary>
    public void SweepIfDue(ClusterLife life)
    {
        if (_sweeping.IsCompleted && time.GetElapsedTime(_began) >= interval)
        {
            _began = time.GetTimestamp();
            _sweeping = SweepAsync(life);
        }
    }

    private async Task SweepAsync(ClusterLife life)
    {
        try
        {
            await others.ReadAsync(life, stopping);
            foreach (LostNode lost in await life.Directory.SweepAsync(stopping))
            {
                ServerLog.ClusterNodeLost(logger, lost.Node.NodeId, lost.Node.Incarnation, lost.Members.Count);
                if (await TryBuryAsync(life, lost))
                {
                    await life.Directory.ConfirmLostAsync(lost.Node, stopping);
                    foreach (long roomId in lost.Members.Select(static member => member.RoomId).Distinct())
                    {
                        await onEmptied(life, roomId);
                    }
                }
            }
        }
        catch (NodeFencedException)
        {
            life.Fence("its lease has ended");
        }
        catch (OperationCanceledException)
        {
            // The server stops.
        }
        catch (Exception e)
        {
            ServerLog.ClusterDirectoryFailed(logger, e.Message); // the directory hands the lost node out again
        }
    }

    /// <summary>Tells every log that a node is down, stores the messages that it had not stored, and announces that its members have
    /// left.</summary>
    private async Task<bool> TryBuryAsync(ClusterLife life, LostNode lost)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        patience.CancelAfter(s_downTimeout);
        try
        {
            for (int shard = 0; shard < life.Feeds.Count; shard++)
            {
                while (life.Backplane.Publish(shard, RoomRecord.NodeDown(lost.Node)) != PublishResult.Accepted)
                {
                    await Task.Delay(s_look, time, patience.Token);
                }
            }

            foreach (ShardFeed feed in life.Feeds)
            {
                while (!feed.IsDown(lost.Node))
                {
                    await Task.Delay(TimeSpan.FromMilliseconds(20), time, patience.Token);
                }

                StoreFor(feed, lost.Node);
            }

            foreach (LostMember member in lost.Members)
            {
                var body = new RoomEntryBody(
                    life.NextNumber(),
                    lost.Node,
                    member.Member.SessionId,
                    time.GetUtcNow().ToUnixTimeMilliseconds(),
                    member.Member.Name,
                    "");
                while (!life.TryPublish(RoomEntryKind.Left, member.RoomId, member.Member.UserId, token: 0, body))
                {
                    await Task.Delay(s_look, time, patience.Token);
                }
            }

            return true;
        }
        catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
        {
            return false; // the log does not answer: the directory hands the lost node out again
        }
    }

    /// <summary>Stores the messages of a dead node that this one has read. Those that are stored already are skipped.</summary>
    private void StoreFor(ShardFeed feed, RecordOrigin dead)
    {
        HashSet<(long RoomId, long UserId, ulong Token)> seen = [];
        int messages = 0;
        foreach (RoomEntry entry in feed.EntriesOf(dead))
        {
            bool isRepeated = entry.Token != 0 && !seen.Add((entry.RoomId, entry.UserId, entry.Token));
            if (entry.Kind is RoomEntryKind.Chat && !isRepeated)
            {
                log.Append(entry.ToRecord(roomName: null));
                messages++;
            }
        }

        if (messages > 0)
        {
            ServerLog.ClusterStoredFor(logger, messages, dead.NodeId);
        }
    }
}
