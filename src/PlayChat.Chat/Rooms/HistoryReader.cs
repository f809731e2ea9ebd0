using Google.Protobuf;

namespace PlayChat.Chat.Rooms;

/// <summary>Pages of a room's history: from the room's memory as far as that reaches, from the store beyond. Thread-safe.</summary>
/// <remarks>
/// A page combines both without a hole, or says that it has one. The store gets the records in order, so it has every message up to the
/// last stored one. Messages between that one and the oldest in memory are not stored yet.
/// </remarks>
internal sealed class HistoryReader(IChatStore store, PlayChatServer server, ServerSettings settings)
{
    // Half, since a client may ask for what follows a message that it has seen and that was lost. PROTOCOL.md promises clients as much.
    private const long LeastGap = RoomArchive.SkippedSequences / 2;

    /// <summary>About how many bytes of messages a page has at most: so that no answer crowds out what else waits for a peer.</summary>
    public int PageBytes => server.Options.Connections.MaxOutboundBytes / 8;

    /// <summary>The first of some packets: as many as fit into a page that has so many bytes already, and one at least if it has
    /// none.</summary>
    public IEnumerable<TPacket> FitPage<TPacket>(IEnumerable<TPacket> packets, int bytes = 0)
        where TPacket : IMessage
    {
        foreach (TPacket packet in packets)
        {
            bool isFirst = bytes == 0;
            bytes += packet.CalculateSize();
            if (bytes > PageBytes && !isFirst)
            {
                yield break;
            }

            yield return packet;
        }
    }

    /// <summary>Reads the newest messages before a sequence.</summary>
    /// <exception cref="StorageException">The database cannot do its part.</exception>
    public async Task<SRoomHistoryRes> ReadBeforeAsync(
        long roomId, long before, int limit, HistorySlice recent, long readerId, CancellationToken cancellationToken)
    {
        List<SRoomChatNtf> messages = recent.Messages;
        bool more = recent.More || (recent.LetGoThrough > 0 && messages.Count == limit);
        bool complete = true;
        long stored = Math.Min(before, recent.LetGoThrough + 1) - 1; // what is in the store alone ends here
        if (!more && stored > 0)
        {
            // Before the records: what is stored meanwhile does no harm.
            complete = await ReadPositionAsync(roomId, cancellationToken) >= Math.Min(stored, recent.LastLetGo);
            IReadOnlyList<ChatRecord> records = await store.ReadChatBeforeAsync(
                roomId, stored + 1, limit - messages.Count + 1, cancellationToken);
            List<SRoomChatNtf> older =
            [
                .. FitPage(
                    records.Reverse().Take(limit - messages.Count).Select(ToMessage),
                    messages.Sum(static message => message.CalculateSize())),
            ];
            more = older.Count < records.Count;
            older.Reverse();
            await AddReactionsAsync(roomId, older, readerId, cancellationToken);
            messages.InsertRange(0, older);
        }

        complete = complete && !recent.HasLost(more && messages.Count > 0 ? messages[0].Sequence - 1 : 0, before - 1);
        long[] first = more ? [] : [0];
        return Answer(roomId, messages, more, complete, first, [Math.Min(before, recent.Latest + 1)]);
    }

    /// <summary>Reads the oldest messages after a sequence.</summary>
    /// <exception cref="StorageException">The database cannot do its part.</exception>
    public async Task<SRoomHistoryRes> ReadAfterAsync(
        long roomId, long after, int limit, HistorySlice recent, long readerId, CancellationToken cancellationToken)
    {
        List<SRoomChatNtf> found = recent.Messages;
        bool complete = true;
        if (after < recent.LetGoThrough)
        {
            long position = await ReadPositionAsync(roomId, cancellationToken);
            IReadOnlyList<ChatRecord> records = await store.ReadChatAfterAsync(roomId, after, limit + 1, cancellationToken);
            // A page that the store fills by itself has no seam.
            complete = records.Count > limit || position >= recent.LastLetGo;
            List<SRoomChatNtf> older = [.. records.Where(record => record.Sequence <= recent.LetGoThrough).Select(ToMessage)];
            await AddReactionsAsync(roomId, older, readerId, cancellationToken);
            found = [.. older, .. found];
        }

        List<SRoomChatNtf> messages = [.. FitPage(found.Take(limit))];
        bool more = recent.More || messages.Count < found.Count;
        complete = complete && !recent.HasLost(after, more && messages.Count > 0 ? messages[^1].Sequence : long.MaxValue);
        long[] last = more ? [] : [Math.Max(after, recent.Latest + 1)];
        return Answer(roomId, messages, more, complete, [after], last);
    }

    /// <param name="roomId">The room.</param>
    /// <param name="messages">The page's messages, oldest first.</param>
    /// <param name="more">Whether there are messages beyond the page.</param>
    /// <param name="complete">Whether everything is stored or in memory, as far as the server knows.</param>
    /// <param name="first">The sequence after which the page begins; empty when it begins with its first message.</param>
    /// <param name="last">The sequence before which the page ends; empty when it ends with its last message.</param>
    private SRoomHistoryRes Answer(long roomId, List<SRoomChatNtf> messages, bool more, bool complete, long[] first, long[] last)
    {
        var page = new SRoomHistoryRes { RoomId = roomId, Messages = { messages }, More = more };
        if (!settings.Cluster.IsOn) // in a cluster a step of any size is usual, and a killed node has its messages stored by another
        {
            page.Gaps.AddRange(FindGaps([.. first, .. messages.Select(static message => message.Sequence), .. last]));
        }

        page.Complete = complete && page.Gaps.Count == 0;
        return page;
    }

    private async Task AddReactionsAsync(
        long roomId, List<SRoomChatNtf> messages, long readerId, CancellationToken cancellationToken)
    {
        if (messages.Count == 0)
        {
            return;
        }

        Dictionary<long, SRoomChatNtf> shown =
            messages.Where(static message => !message.Deleted).ToDictionary(static message => message.Sequence);
        foreach (MessageReaction reaction in await store.ReadReactionsAsync(
            roomId, messages[0].Sequence, messages[^1].Sequence, readerId, cancellationToken))
        {
            if (shown.TryGetValue(reaction.Sequence, out SRoomChatNtf? message) && message.Reactions.Count < ChatLimits.MaxReactions)
            {
                message.Reactions.Add(new Reaction { Emoji = reaction.Emoji, Count = (uint)reaction.Count, Own = reaction.IsOwn });
            }
        }
    }

    /// <summary>A stored message as players see it.</summary>
    public static SRoomChatNtf ToMessage(ChatRecord record) => new()
    {
        RoomId = record.RoomId,
        Sequence = record.Sequence,
        PlayerId = record.PlayerId,
        PlayerName = record.PlayerName,
        Text = record.Text,
        SentAtUnixMs = record.SentAt.ToUnixTimeMilliseconds(),
        System = record.PlayerId == 0,
        EditedAtUnixMs = record.EditedAt?.ToUnixTimeMilliseconds() ?? 0,
        Deleted = record.Text.Length == 0,
    };

    private async Task<long> ReadPositionAsync(long roomId, CancellationToken cancellationToken) =>
        (await store.GetRoomPositionAsync(roomId, cancellationToken))?.LastSequence ?? 0;

    /// <summary>Finds where messages may be missing in a page because a server was killed. After a kill a room continues
    /// <see cref="RoomArchive.SkippedSequences"/> above what the store has. Joins, which the history does not have, leave out single
    /// sequences only.</summary>
    /// <param name="sequences">Those of the page's messages, between the two that bound it; rising.</param>
    private static IEnumerable<HistoryGap> FindGaps(IEnumerable<long> sequences)
    {
        long? previous = null;
        foreach (long sequence in sequences)
        {
            if (previous is { } after && sequence - after > LeastGap)
            {
                yield return new HistoryGap { AfterSequence = after, BeforeSequence = sequence };
            }

            previous = sequence;
        }
    }
}
