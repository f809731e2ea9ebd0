using PlayChat.Chat.ChatLog;
using PlayChat.Chat.Places;

namespace PlayChat.Chat.Handlers;

/// <summary>Tells players of their conversations, and whom they have blocked. Thread-safe.</summary>
internal sealed class ConversationReader(
    IChatStore store, DirectWriter writer, IPlayers players, PlayChatServer server, ServerSettings settings)
{
    private const int MaxAtLogin = 50;

    // A list of conversations shows one line of each. Whole texts would make an answer of a megabyte.
    private const int MaxExcerptChars = 200;

    private const long MaxUnixUs = 253_402_300_799_000_000; // in the year 9999

    /// <summary>Adds what a player has not read to the answer of its login; nothing where direct messages are not stored.</summary>
    /// <exception cref="StorageException">The database failed.</exception>
    public async Task TellAsync(SLoginRes answer, long playerId, string playerName, CancellationToken cancellationToken)
    {
        if (settings.Direct.Stored)
        {
            IReadOnlyList<DirectConversation> found = await store.Direct.ListConversationsAsync(
                playerId, before: null, minUnread: 1, MaxAtLogin, cancellationToken);
            answer.UnreadConversations.Add(
                found.Select(one => Describe(playerId, playerName, one)).Where(static told => told.Unread > 0));
            answer.BlockedPlayerIds.Add((await store.Direct.ListBlockedAsync(playerId, cancellationToken)).Select(static one => one.Id));
        }
    }

    /// <summary>A page of the conversations of a player, the newest first.</summary>
    /// <exception cref="StorageException">The database failed.</exception>
    public async Task<SListConversationsRes> ListAsync(
        long playerId, string playerName, ConversationPlace? before, int limit, CancellationToken cancellationToken)
    {
        (DateTimeOffset, long)? place = before is null ? null
            : (DateTimeOffset.UnixEpoch.AddMicroseconds(Math.Clamp(before.LastAtUnixUs, 0, MaxUnixUs)), before.PlayerId);
        // One more than a page has, to see whether there are more.
        IReadOnlyList<DirectConversation> found = await store.Direct.ListConversationsAsync(
            playerId, place, minUnread: 0, limit + 1, cancellationToken);
        IReadOnlyList<BlockedPlayer> blocked = await store.Direct.ListBlockedAsync(playerId, cancellationToken);
        return new SListConversationsRes
        {
            Conversations = { found.Take(limit).Select(one => Describe(playerId, playerName, one)) },
            BlockedPlayerIds = { blocked.Select(static one => one.Id) },
            Next = found.Count <= limit ? null : new ConversationPlace
            {
                LastAtUnixUs = (found[limit - 1].Last.SentAt - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond,
                PlayerId = found[limit - 1].PartnerId,
            },
        };
    }

    /// <summary>A stored message as clients see it.</summary>
    public static SDirectChatNtf Describe(DirectMessage message, string fromName) =>
        DirectChat.Create(message.FromId, fromName, message.Text, message.SentAt.ToUnixTimeMilliseconds(), message.Number);

    private static string Excerpt(string text) => text.Length <= MaxExcerptChars ? text
        : text[..(char.IsHighSurrogate(text[MaxExcerptChars - 1]) ? MaxExcerptChars - 1 : MaxExcerptChars)];

    private Conversation Describe(long playerId, string playerName, DirectConversation stored)
    {
        DirectConversation known = writer.NewestOf(playerId, stored);
        return new Conversation
        {
            Player = new Member { PlayerId = known.PartnerId, Name = known.PartnerName },
            Last = Describe(
                known.Last with { Text = Excerpt(known.Last.Text) }, known.Last.FromId == playerId ? playerName : known.PartnerName),
            Unread = (uint)known.Unread,
            ReadNumber = known.ReadNumber,
            Online = !players.AreElsewhere && server.Sessions.FindUser(known.PartnerId) is { IsAway: false },
        };
    }
}
