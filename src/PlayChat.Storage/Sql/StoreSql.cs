namespace PlayChat.Storage.Sql;

/// <summary>The statements that every store runs, in what all databases take; each provider's own file replaces what its dialect says
/// otherwise.</summary>
/// <remarks>Parameters are of the same names and meanings in all of them; times are <see cref="StoredTime"/>.</remarks>
/// <param name="limit">Ends an ordered statement that returns the first <c>@limit</c> rows.</param>
internal sealed class StoreSql(string limit = " LIMIT @limit")
{
    public string FindAccount { get; init; } = SelectAccount + " WHERE name_key = @nameKey";

    public string ListAccounts { get; init; } = SelectAccount + " WHERE id > @afterId ORDER BY id" + limit;

    /// <summary>Adds an account unless its name is there already. Changes one row or none.</summary>
    public string InsertAccount { get; init; } =
        """
        INSERT INTO account (name, name_key, password_hash, created_at)
        VALUES (@name, @nameKey, @passwordHash, @createdAt)
        ON CONFLICT (name_key) DO NOTHING
        """;

    public string UpdateLastLogin { get; init; } = "UPDATE account SET last_login_at = @lastLoginAt WHERE id = @accountId";

    /// <summary>Makes the account's tokens void as well.</summary>
    public string UpdatePasswordHash { get; init; } =
        "UPDATE account SET password_hash = @passwordHash, token_version = token_version + 1 WHERE id = @accountId";

    public string ReplacePasswordHash { get; init; } =
        "UPDATE account SET password_hash = @newHash WHERE id = @accountId AND password_hash = @oldHash";

    /// <summary>Makes the account's tokens void as well.</summary>
    public string DisableAccount { get; init; } =
        "UPDATE account SET disabled = @disabled, token_version = token_version + 1 WHERE id = @accountId";

    public string EnableAccount { get; init; } = "UPDATE account SET disabled = @disabled WHERE id = @accountId";

    public string DeleteAccount { get; init; } = "DELETE FROM account WHERE id = @accountId";

    public string RemovePlayersTokens { get; init; } =
        "DELETE FROM session_token WHERE player_id = @accountId; DELETE FROM login_token WHERE player_id = @accountId";

    /// <summary>Removes what an account has beside its messages: memberships, its side of conversations, and blocks.</summary>
    public string RemovePlayersRecords { get; init; } =
        """
        DELETE FROM room_mention
        WHERE player_id = @accountId AND room_id IN (SELECT room_id FROM room_member WHERE player_id = @accountId);
        DELETE FROM room_member WHERE player_id = @accountId;
        DELETE FROM direct_conversation WHERE player_id = @accountId;
        DELETE FROM blocked_player WHERE player_id = @accountId OR blocked_id = @accountId;
        """;

    /// <summary>
    /// Adds the row of a session in place of its earlier one, and of those of the player that have expired or, if @all is 1, of all.
    /// </summary>
    public string SaveResumeTokens { get; init; } =
        """
        DELETE FROM session_token
        WHERE player_id = @playerId
            AND (newest_hash = @newest OR newest_hash = @used OR used_hash = @used OR expires_at < @now OR @all = 1);
        INSERT INTO session_token (newest_hash, player_id, used_hash, close_is_leave, expires_at, token_version, login_token_id)
        VALUES (@newest, @playerId, @used, @closeIsLeave, @expiresAt, @tokenVersion, @loginTokenId)
        """;

    public string FindResumeTokens { get; init; } =
        """
        SELECT player_id AS PlayerId, name AS PlayerName, newest_hash AS Newest, used_hash AS Used,
               close_is_leave AS CloseIsLeave, expires_at AS ExpiresAt, session_token.token_version AS TokenVersion,
               login_token_id AS LoginTokenId
        FROM session_token INNER JOIN account
            ON account.id = session_token.player_id AND account.token_version = session_token.token_version
        WHERE newest_hash = @hash OR used_hash = @hash
        """;

    public string RemoveResumeTokens { get; init; } = "DELETE FROM session_token WHERE newest_hash = @newest";

    /// <summary>
    /// Adds a token in place of those of all players that have expired, of the player's oldest, of which @limit may stay, and of itself:
    /// an earlier try may have added it.
    /// </summary>
    public string AddLoginToken { get; init; } =
        $"""
        DELETE FROM login_token
        WHERE used_at < @usedAfter OR (player_id = @playerId AND id NOT IN (
            SELECT id FROM login_token WHERE player_id = @playerId AND id <> @id ORDER BY used_at DESC, id{limit}));
        INSERT INTO login_token (id, player_id, newest_hash, token_version, created_at, used_at, client_version)
        VALUES (@id, @playerId, @newest, @tokenVersion, @createdAt, @usedAt, @clientVersion)
        """;

    public string FindLoginToken { get; init; } = SelectLoginToken + " WHERE login_token.id = @id";

    public string ListLoginTokens { get; init; } = SelectLoginToken + " WHERE player_id = @playerId ORDER BY used_at DESC, login_token.id";

    /// <summary>Replaces a token by the next one, if the one that was shown is the newest or the one before it.</summary>
    public string ReplaceLoginToken { get; init; } =
        """
        UPDATE login_token SET used_hash = @shown, newest_hash = @next, used_at = @usedAt, client_version = @clientVersion
        WHERE id = @id AND (newest_hash = @shown OR used_hash = @shown)
        """;

    /// <summary>Removes a token, and those by which a session of its device may resume.</summary>
    public string RemoveLoginToken { get; init; } =
        """
        DELETE FROM session_token WHERE player_id = @playerId AND login_token_id = @id;
        DELETE FROM login_token WHERE player_id = @playerId AND id = @id
        """;

    /// <summary>Adds a ban, or replaces the one of the same name or network.</summary>
    public string SaveBan { get; init; } =
        """
        INSERT INTO ban (kind, subject_key, subject, reason, created_at, expires_at)
        VALUES (@kind, @subjectKey, @subject, @reason, @createdAt, @expiresAt)
        ON CONFLICT (kind, subject_key) DO UPDATE
        SET subject = excluded.subject, reason = excluded.reason, created_at = excluded.created_at, expires_at = excluded.expires_at
        """;

    public string RemoveBan { get; init; } = "DELETE FROM ban WHERE kind = @kind AND subject_key = @subjectKey";

    public string RemoveExpiredBans { get; init; } = "DELETE FROM ban WHERE expires_at <= @now";

    public string ListBans { get; init; } =
        "SELECT kind AS Kind, subject AS Subject, reason AS Reason, created_at AS CreatedAt, expires_at AS ExpiresAt FROM ban ORDER BY id";

    public string ReadChatBefore { get; init; } = SelectChat
        + " WHERE room_id = @roomId AND sequence < @bound ORDER BY sequence DESC" + limit;

    public string ReadChatAfter { get; init; } = SelectChat
        + " WHERE room_id = @roomId AND sequence > @bound ORDER BY sequence" + limit;

    public string ReadChatOf { get; init; } = SelectChat
        + " WHERE room_id = @roomId AND player_id = @playerId AND sequence > @bound ORDER BY sequence" + limit;

    public string EraseChatOf { get; init; } =
        "UPDATE chat_log SET text = '' WHERE room_id = @roomId AND player_id = @playerId AND text <> ''";

    /// <summary>Deletes, of the oldest records of a room, those that are older than a time. Needs no index but the key's.</summary>
    public string DeleteOldChat { get; init; } =
        """
        DELETE FROM chat_log
        WHERE room_id = @roomId AND sent_at < @before
            AND sequence IN (SELECT sequence FROM chat_log WHERE room_id = @roomId ORDER BY sequence LIMIT @limit)
        """;

    /// <summary>
    /// Adds a room, or gives the one that is there its name and attributes, and the time of its creation when it has none.
    /// </summary>
    public string SaveRoom { get; init; } =
        """
        INSERT INTO room (room_id, room_name, last_sequence, created_at, attributes)
        VALUES (@roomId, @roomName, 0, @createdAt, @attributes)
        ON CONFLICT (room_id) DO UPDATE
        SET room_name = excluded.room_name, created_at = COALESCE(room.created_at, excluded.created_at), room_state = 0,
            attributes = excluded.attributes
        """;

    public string SetRoomState { get; init; } =
        """
        UPDATE room
        SET room_state = @state, last_sequence = CASE WHEN last_sequence < @lastSequence THEN @lastSequence ELSE last_sequence END
        WHERE room_id = @roomId
        """;

    public string LastRoomId { get; init; } = "SELECT COALESCE(MAX(room_id), 0) FROM room";

    public string RoomPosition { get; init; } = SelectRoom + " WHERE room_id = @roomId";

    /// <summary>Dapper writes one parameter for each of the ids. For PostgreSQL it passes an array.</summary>
    public string Rooms { get; init; } = SelectRoom + " WHERE room_id IN @roomIds ORDER BY room_id";

    public string RoomPositions { get; init; } = SelectRoom + " WHERE room_id > @afterRoomId ORDER BY room_id" + limit;

    public string ClaimRoom { get; init; } =
        """
        INSERT INTO room_claim (claim_key, room_id, creator_id)
        SELECT @key, @roomId, @creatorId
        WHERE NOT EXISTS (SELECT 1 FROM room_claim WHERE claim_key = @key)
            AND (SELECT COUNT(*) FROM room_claim WHERE creator_id = @creatorId) < @maxRooms
        """;

    public string FindClaim { get; init; } = "SELECT room_id FROM room_claim WHERE claim_key = @key";

    public string ReleaseRoom { get; init; } = "DELETE FROM room_claim WHERE room_id = @roomId";

    public string SaveReadMark { get; init; } =
        """
        UPDATE room_member SET read_sequence = @readSequence
        WHERE room_id = @roomId AND player_id = @playerId AND read_sequence < @readSequence;
        DELETE FROM room_mention WHERE room_id = @roomId AND player_id = @playerId AND sequence <= @readSequence;
        """;

    /// <summary>Adds a mention, unless it is there, or its player has read the message, has blocked the sender, or has too many.</summary>
    /// <remarks>The player may not be kept yet: another server stores its membership.</remarks>
    public string AddMention { get; init; } =
        """
        INSERT INTO room_mention (room_id, player_id, sequence)
        SELECT @roomId, @playerId, @sequence
        WHERE NOT EXISTS (SELECT 1 FROM room_mention WHERE room_id = @roomId AND player_id = @playerId AND sequence = @sequence)
            AND NOT EXISTS (SELECT 1 FROM room_member WHERE room_id = @roomId AND player_id = @playerId AND read_sequence >= @sequence)
            AND NOT EXISTS (SELECT 1 FROM blocked_player WHERE player_id = @playerId AND blocked_id = @senderId)
            AND (SELECT COUNT(*) FROM room_mention WHERE room_id = @roomId AND player_id = @playerId) < @limit
        """;

    /// <summary>Adds what is kept of a player in a room, or replaces all but what it has read.</summary>
    public string SaveMembership { get; init; } =
        """
        INSERT INTO room_member (room_id, player_id, player_name, member_role, read_sequence, muted_until, banned_until)
        VALUES (@roomId, @playerId, @playerName, @role, @readSequence, @mutedUntil, @bannedUntil)
        ON CONFLICT (room_id, player_id) DO UPDATE
        SET player_name = excluded.player_name, member_role = excluded.member_role, muted_until = excluded.muted_until,
            banned_until = excluded.banned_until
        """;

    public string RemoveMemberships { get; init; } =
        """
        DELETE FROM room_mention WHERE room_id = @roomId AND (@playerId = 0 OR player_id = @playerId);
        DELETE FROM room_member WHERE room_id = @roomId AND (@playerId = 0 OR player_id = @playerId);
        """;

    public string ListMemberships { get; init; } = SelectMembership
        + " WHERE room_id = @roomId AND player_id > @afterPlayerId ORDER BY player_id" + limit;

    public string ListMembershipsOf { get; init; } = SelectMembership
        + " WHERE player_id = @playerId AND member_role > 0 ORDER BY room_id" + limit;

    /// <summary>The order lets the key's index end the count early.</summary>
    public string CountChatAfter { get; init; } =
        "SELECT COUNT(*) FROM (SELECT sequence FROM chat_log WHERE room_id = @roomId AND sequence > @afterSequence "
            + $"AND player_id <> 0 AND player_id <> @exceptPlayerId ORDER BY sequence{limit}) AS counted";

    /// <summary>Adds a reaction, unless it is there or the message has too many different ones.</summary>
    public string AddReaction { get; init; } =
        """
        INSERT INTO chat_reaction (room_id, sequence, emoji, player_id, reacted_at)
        SELECT @roomId, @sequence, @emoji, @playerId, @now
        WHERE NOT EXISTS (
                SELECT 1 FROM chat_reaction
                WHERE room_id = @roomId AND sequence = @sequence AND emoji = @emoji AND player_id = @playerId)
            AND (SELECT COUNT(DISTINCT emoji) FROM chat_reaction WHERE room_id = @roomId AND sequence = @sequence AND emoji <> @emoji)
                < @maxEmojis
        """;

    public string HasReaction { get; init; } =
        """
        SELECT COUNT(*) FROM chat_reaction
        WHERE room_id = @roomId AND sequence = @sequence AND emoji = @emoji AND player_id = @playerId
        """;

    public string RemoveReaction { get; init; } =
        "DELETE FROM chat_reaction WHERE room_id = @roomId AND sequence = @sequence AND emoji = @emoji AND player_id = @playerId";

    public string RemoveReactionsOf { get; init; } = "DELETE FROM chat_reaction WHERE room_id = @roomId AND player_id = @playerId";

    /// <summary>Deletes the reactions to messages that the log does not have any more, and the mentions in them.</summary>
    public string RemoveOldReactions { get; init; } =
        """
        DELETE FROM chat_reaction
        WHERE room_id = @roomId AND sequence < (SELECT MIN(sequence) FROM chat_log WHERE room_id = @roomId);
        DELETE FROM room_mention
        WHERE room_id = @roomId AND sequence < (SELECT MIN(sequence) FROM chat_log WHERE room_id = @roomId);
        """;

    public string ReadReactions { get; init; } =
        """
        SELECT sequence AS Sequence, emoji AS Emoji, COUNT(*) AS Count, MAX(CASE WHEN player_id = @readerId THEN 1 ELSE 0 END) AS Own
        FROM chat_reaction
        WHERE room_id = @roomId AND sequence BETWEEN @first AND @last
        GROUP BY sequence, emoji
        ORDER BY sequence, MIN(reacted_at), emoji
        """;

    public string ReadReactionsOf { get; init; } =
        """
        SELECT sequence AS Sequence, emoji AS Emoji, reacted_at AS ReactedAt FROM chat_reaction
        WHERE room_id = @roomId AND player_id = @playerId AND (sequence > @sequence OR (sequence = @sequence AND emoji > @emoji))
        ORDER BY sequence, emoji
        """ + limit;

    public string FindReport { get; init; } =
        "SELECT id FROM room_report WHERE room_id = @roomId AND sequence = @sequence AND reporter_id = @reporterId";

    /// <summary>Adds a report, in place of the oldest resolved one where the room has as many as it may; changes no row of that if all
    /// are open.</summary>
    public string AddReport { get; init; } =
        """
        DELETE FROM report_line WHERE report_id IN (
            SELECT MIN(id) FROM room_report WHERE room_id = @roomId AND resolved_at IS NOT NULL
                AND (SELECT COUNT(*) FROM room_report WHERE room_id = @roomId) >= @maxReports);
        DELETE FROM room_report WHERE id IN (
            SELECT MIN(id) FROM room_report WHERE room_id = @roomId AND resolved_at IS NOT NULL
                AND (SELECT COUNT(*) FROM room_report WHERE room_id = @roomId) >= @maxReports);
        INSERT INTO room_report (room_id, room_name, sequence, reporter_id, reporter_name, reason, reported_at, said_at)
        SELECT @roomId, @roomName, @sequence, @reporterId, @reporterName, @reason, @reportedAt, @saidAt
        WHERE (SELECT COUNT(*) FROM room_report WHERE room_id = @roomId) < @maxReports
        """;

    public string AddReportLine { get; init; } =
        """
        INSERT INTO report_line (report_id, sequence, player_id, player_name, text, sent_at)
        VALUES (@id, @sequence, @playerId, @playerName, @text, @sentAt)
        """;

    public string ListReports { get; init; } = SelectReport
        + " WHERE (@roomId = 0 OR room_id = @roomId) AND resolved_at IS NULL AND id > @afterId ORDER BY id" + limit;

    public string ListReportsOf { get; init; } = SelectReport + " WHERE reporter_id = @reporterId AND id > @afterId ORDER BY id" + limit;

    public string ListReportLines { get; init; } =
        """
        SELECT l.report_id AS ReportId, r.room_id AS RoomId, l.sequence AS Sequence, l.player_id AS PlayerId, l.player_name AS PlayerName,
               l.text AS Text, l.sent_at AS SentAt
        FROM report_line AS l INNER JOIN room_report AS r ON r.id = l.report_id
        WHERE (@roomId = 0 OR r.room_id = @roomId) AND r.resolved_at IS NULL AND r.id BETWEEN @first AND @last
        ORDER BY l.report_id, l.sequence
        """;

    public string ResolveReport { get; init; } =
        """
        UPDATE room_report SET resolved_at = @now, resolver_id = @playerId, note = @note
        WHERE id = @id AND (@roomId = 0 OR room_id = @roomId) AND resolved_at IS NULL
        """;

    public string EraseReportsOf { get; init; } =
        """
        UPDATE report_line SET text = '' WHERE player_id = @playerId;
        UPDATE room_report SET reason = '' WHERE reporter_id = @playerId;
        UPDATE room_report SET note = '' WHERE resolver_id = @playerId
        """;

    public string DeleteOldReports { get; init; } =
        """
        DELETE FROM report_line WHERE sent_at < @before OR report_id IN (SELECT id FROM room_report WHERE said_at < @before);
        DELETE FROM room_report WHERE said_at < @before
        """;

    /// <summary>Every provider has its own: the text of messages is indexed in three ways. A deleted message is found no more.</summary>
    public string SearchChat { get; init; } = "";

    /// <summary>Adds the two rows of a conversation unless the receiver is no account or one has blocked the other, locks them, and tells
    /// why a message can't be added.</summary>
    public string OpenConversation { get; init; } =
        $"""
        INSERT INTO direct_conversation (player_id, partner_id, partner_name, last_number, read_number, last_at)
        SELECT @lowId, @highId, CASE WHEN @lowId = @fromId THEN name ELSE @fromName END, 0, 0, @sentAt {Receiver}
        ON CONFLICT (player_id, partner_id) DO UPDATE SET partner_name = excluded.partner_name;
        INSERT INTO direct_conversation (player_id, partner_id, partner_name, last_number, read_number, last_at)
        SELECT @highId, @lowId, CASE WHEN @highId = @fromId THEN name ELSE @fromName END, 0, 0, @sentAt {Receiver}
        ON CONFLICT (player_id, partner_id) DO UPDATE SET partner_name = excluded.partner_name;
        {DirectFacts}
        """;

    /// <summary>Adds a message to an open conversation, which its sender has read up to it, and tells its number.</summary>
    public string AppendDirect { get; init; } =
        """
        UPDATE direct_conversation
        SET last_number = last_number + 1, last_at = @sentAt,
            read_number = CASE WHEN player_id = @fromId THEN last_number + 1 ELSE read_number END
        WHERE (player_id = @lowId AND partner_id = @highId) OR (player_id = @highId AND partner_id = @lowId);
        INSERT INTO direct_message (low_id, high_id, number, from_id, text, sent_at, client_message_id)
        SELECT @lowId, @highId, last_number, @fromId, @text, @sentAt, @clientMessageId
        FROM direct_conversation WHERE player_id = @lowId AND partner_id = @highId;
        SELECT last_number FROM direct_conversation WHERE player_id = @lowId AND partner_id = @highId;
        """;

    public string ListConversations { get; init; } =
        """
        SELECT c.partner_id AS PartnerId, c.partner_name AS PartnerName, c.read_number AS ReadNumber, c.last_number AS Number,
               c.last_at AS SentAt, COALESCE(m.from_id, c.partner_id) AS FromId, m.text AS Text, m.client_message_id AS ClientMessageId
        FROM direct_conversation AS c LEFT JOIN direct_message AS m
            ON m.low_id = CASE WHEN c.player_id < c.partner_id THEN c.player_id ELSE c.partner_id END
            AND m.high_id = CASE WHEN c.player_id < c.partner_id THEN c.partner_id ELSE c.player_id END
            AND m.number = c.last_number
        WHERE c.player_id = @playerId AND c.last_at <= @before AND (c.last_at < @before OR c.partner_id < @beforeId)
            AND c.last_number > 0 AND c.last_number - c.read_number >= @minUnread
        ORDER BY c.last_at DESC, c.partner_id DESC
        """ + limit;

    public string ReadDirectBefore { get; init; } = SelectDirect + " AND number < @bound ORDER BY number DESC" + limit;

    public string ReadDirectAfter { get; init; } = SelectDirect + " AND number > @bound ORDER BY number" + limit;

    public string SaveDirectRead { get; init; } =
        """
        UPDATE direct_conversation SET read_number = CASE WHEN last_number < @number THEN last_number ELSE @number END
        WHERE player_id = @playerId AND partner_id = @partnerId AND read_number < @number
        """;

    public string BlockPlayer { get; init; } =
        """
        INSERT INTO blocked_player (player_id, blocked_id, blocked_name, blocked_at)
        SELECT @playerId, @blockedId, @blockedName, @blockedAt
        WHERE NOT EXISTS (SELECT 1 FROM blocked_player WHERE player_id = @playerId AND blocked_id = @blockedId)
            AND (SELECT COUNT(*) FROM blocked_player WHERE player_id = @playerId) < @limit
        """;

    public string UnblockPlayer { get; init; } = "DELETE FROM blocked_player WHERE player_id = @playerId AND blocked_id = @blockedId";

    public string ListBlocked { get; init; } =
        "SELECT blocked_id AS Id, blocked_name AS Name, blocked_at AS BlockedAt FROM blocked_player "
            + "WHERE player_id = @playerId ORDER BY blocked_id" + limit;

    public string CountBlocks { get; init; } =
        "SELECT COUNT(*) FROM blocked_player WHERE player_id = @playerId AND blocked_id = @blockedId";

    public string EraseDirectOf { get; init; } = "UPDATE direct_message SET text = '' WHERE from_id = @playerId AND text <> ''";

    public string DeleteOldDirect { get; init; } =
        """
        DELETE FROM direct_message
        WHERE (low_id, high_id, number) IN (
            SELECT low_id, high_id, number FROM direct_message WHERE sent_at < @before ORDER BY sent_at LIMIT @limit)
        """;

    public string DeleteOldConversations { get; init; } = "DELETE FROM direct_conversation WHERE last_at < @before";

    public string ReadOwner { get; init; } =
        "SELECT owner_id AS OwnerId, machine AS Machine, process_id AS ProcessId, started_at AS StartedAt FROM database_owner";

    /// <summary>Reads the owner's id, and keeps others from changing it until the transaction ends.</summary>
    public string LockOwnerId { get; init; } = "SELECT owner_id FROM database_owner";

    public string WriteOwner { get; init; } =
        """
        INSERT INTO database_owner (row_id, owner_id, machine, process_id, started_at)
        VALUES (1, @id, @machine, @processId, @startedAt)
        ON CONFLICT (row_id) DO UPDATE
        SET owner_id = excluded.owner_id, machine = excluded.machine, process_id = excluded.process_id, started_at = excluded.started_at
        """;

    public const string SelectAccount =
        "SELECT id AS Id, name AS Name, password_hash AS PasswordHash, created_at AS CreatedAt, last_login_at AS LastLoginAt, "
            + "disabled AS Disabled, token_version AS TokenVersion FROM account";

    public const string SelectChat =
        "SELECT room_id AS RoomId, sequence AS Sequence, player_id AS PlayerId, player_name AS PlayerName, text AS Text, "
            + "sent_at AS SentAt, room_name AS RoomName, client_message_id AS ClientMessageId, edited_at AS EditedAt FROM chat_log";

    public const string SelectRoom =
        "SELECT room_id AS RoomId, room_name AS RoomName, last_sequence AS LastSequence, created_at AS CreatedAt, room_state AS State, "
            + "attributes AS Attributes FROM room";

    public const string SelectMembership =
        "SELECT room_id AS RoomId, player_id AS PlayerId, player_name AS PlayerName, member_role AS Role, read_sequence AS ReadSequence, "
            + "(SELECT COUNT(*) FROM room_mention AS told WHERE told.room_id = room_member.room_id "
            + "AND told.player_id = room_member.player_id AND told.sequence > read_sequence) AS UnreadMentions, "
            + "muted_until AS MutedUntil, banned_until AS BannedUntil FROM room_member";

    private const string SelectReport =
        "SELECT id AS Id, room_id AS RoomId, room_name AS RoomName, sequence AS Sequence, reporter_id AS ReporterId, "
            + "reporter_name AS ReporterName, reason AS Reason, reported_at AS ReportedAt FROM room_report";

    private const string SelectLoginToken =
        "SELECT login_token.id AS Id, player_id AS PlayerId, name AS PlayerName, newest_hash AS Newest, used_hash AS Used, "
            + "login_token.token_version AS TokenVersion, login_token.created_at AS CreatedAt, used_at AS UsedAt, "
            + "client_version AS ClientVersion FROM login_token INNER JOIN account "
            + "ON account.id = login_token.player_id AND account.token_version = login_token.token_version";

    private const string SelectDirect =
        "SELECT number AS Number, from_id AS FromId, text AS Text, sent_at AS SentAt, client_message_id AS ClientMessageId "
            + "FROM direct_message WHERE low_id = @lowId AND high_id = @highId";

    /// <summary>The account that a direct message is for, unless one of the players has blocked the other.</summary>
    public const string Receiver =
        """
        FROM account WHERE id = @toId AND NOT EXISTS (
            SELECT 1 FROM blocked_player
            WHERE (player_id = @toId AND blocked_id = @fromId) OR (player_id = @fromId AND blocked_id = @toId))
        """;

    /// <summary>What there is to know before a direct message is added; no row when it is for no account.</summary>
    public const string DirectFacts =
        """
        SELECT (SELECT COUNT(*) FROM blocked_player WHERE player_id = @toId AND blocked_id = @fromId) AS Refused,
               (SELECT COUNT(*) FROM blocked_player WHERE player_id = @fromId AND blocked_id = @toId) AS Blocked,
               (SELECT number FROM direct_message
                WHERE low_id = @lowId AND high_id = @highId AND from_id = @fromId AND client_message_id = @clientMessageId) AS Known
        FROM account WHERE id = @toId;
        """;
}
