using PlayChat.Chat.ChatLog;
using PlayChat.Cluster.Log;

namespace PlayChat.Chat.Cluster;

/// <summary>Does for lost nodes what they cannot do any more: stores their messages, and announces that their members have left.</summary>
internal sealed class LostNodes(ChatLogGate log, TimeProvider time, ILogger logger)
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(250);

    /// <summary>Does it for one node. All logs say that it is down, and this node has read them up to there.</summary>
    public async Task AnnounceAsync(ClusterLife life, LostNode lost, CancellationToken cancellationToken)
    {
        foreach (ShardFeed feed in life.Feeds)
        {
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
                await Task.Delay(s_pause, time, cancellationToken);
            }
        }
    }

    /// <summary>Stores the messages of a dead node that this one has read. Those that are stored already are skipped.</summary>
    private void StoreFor(ShardFeed feed, RecordOrigin dead)
    {
        Dictionary<long, HashSet<long>> changed = []; // players by room
        int messages = 0;
        foreach (RoomEntry entry in feed.EntriesOf(dead))
        {
            if (entry.Kind is RoomEntryKind.Chat or RoomEntryKind.Edited)
            {
                log.Append(entry.ToRecord());
                messages++;
            }
            else if (entry.Kind is RoomEntryKind.Joined or RoomEntryKind.Left or RoomEntryKind.Moderated)
            {
                changed.TryAdd(entry.RoomId, []);
                changed[entry.RoomId].Add(entry.UserId);
            }
        }

        foreach ((long room, HashSet<long> players) in changed)
        {
            feed.Find(room)?.StoreMissing(players);
        }

        if (messages > 0)
        {
            ServerLog.ClusterStoredFor(logger, messages, dead.NodeId);
        }
    }
}
