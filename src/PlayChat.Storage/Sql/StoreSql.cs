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

    public string RemovePlayersTokens { get; init; } = "DELETE FROM resume_token WHERE player_id = @accountId";

    public string RemovePlayersMemberships { get; init; } = "DELETE FROM room_member WHERE player_id = @accountId";

    /// <summary>Adds the row of a player, or replaces it.</summary>
    public string SaveResumeTokens { get; init; } =
        """
        INSERT INTO resume_token (player_id, newest_hash, used_hash, close_is_leave, expires_at, token_version)
        VALUES (@playerId, @newest, @used, @closeIsLeave, @expiresAt, @tokenVersion)
        ON CONFLICT (player_id) DO UPDATE
        SET newest_hash = excluded.newest_hash, used_hash = excluded.used_hash, close_is_leave = excluded.close_is_leave,
            expires_at = excluded.expires_at, token_version = excluded.token_version
        """;

    public string FindResumeTokens { get; init; } =
        """
        SELECT player_id AS PlayerId, name AS PlayerName, newest_hash AS Newest, used_hash AS Used,
               close_is_leave AS CloseIsLeave, expires_at AS ExpiresAt, resume_token.token_version AS TokenVersion
        FROM resume_token INNER JOIN account
            ON account.id = resume_token.player_id AND account.token_version = resume_token.token_version
        WHERE newest_hash = @hash OR used_hash = @hash
        """;

    public string RemoveResumeTokens { get; init; } = "DELETE FROM resume_token WHERE newest_hash = @newest";

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

    public string EraseChatOf { get; init; } = "UPDATE chat_log SET text = '' WHERE room_id = @roomId AND player_id = @playerId";

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

    /// <summary>Adds what is kept of a player in a room, or replaces it.</summary>
    public string SaveMembership { get; init; } =
        """
        INSERT INTO room_member (room_id, player_id, player_name, member_role, read_sequence, unread_mentions, muted_until, banned_until)
        VALUES (@roomId, @playerId, @playerName, @role, @readSequence, @unreadMentions, @mutedUntil, @bannedUntil)
        ON CONFLICT (room_id, player_id) DO UPDATE
        SET player_name = excluded.player_name, member_role = excluded.member_role, read_sequence = excluded.read_sequence,
            unread_mentions = excluded.unread_mentions, muted_until = excluded.muted_until, banned_until = excluded.banned_until
        """;

    public string RemoveMemberships { get; init; } =
        "DELETE FROM room_member WHERE room_id = @roomId AND (@playerId = 0 OR player_id = @playerId)";

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

    /// <summary>Deletes the reactions to messages that the log does not have any more.</summary>
    public string RemoveOldReactions { get; init; } =
        """
        DELETE FROM chat_reaction
        WHERE room_id = @roomId AND sequence < (SELECT MIN(sequence) FROM chat_log WHERE room_id = @roomId)
        """;

    public string ReadReactions { get; init; } =
        """
        SELECT sequence AS Sequence, emoji AS Emoji, COUNT(*) AS Count, MAX(CASE WHEN player_id = @readerId THEN 1 ELSE 0 END) AS Own
        FROM chat_reaction
        WHERE room_id = @roomId AND sequence BETWEEN @first AND @last
        GROUP BY sequence, emoji
        ORDER BY sequence, MIN(reacted_at), emoji
        """;

    /// <summary>Every provider has its own: the text of messages is indexed in three ways. A deleted message is found no more.</summary>
    public string SearchChat { get; init; } = "";

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
            + "unread_mentions AS UnreadMentions, muted_until AS MutedUntil, banned_until AS BannedUntil FROM room_member";
}
