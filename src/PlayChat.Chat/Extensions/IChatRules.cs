namespace PlayChat.Chat.Extensions;

/// <summary>Rules of your own: which players may create and join rooms, and what may be said. Thread-safe.</summary>
/// <remarks>
/// <para>A rule is asked on its player's receive loop, outside of the room's turn: it may wait, and only this player's next packets wait
/// for it. So a player's messages keep their order. Several rules are asked in the order in which they were added; the first refusal ends
/// it, and each text is the one that the rule before it has made.</para>
/// <para>A rule that throws or takes longer than <see cref="ChatBuilder.RuleTimeout"/> has failed: see
/// <see cref="ChatBuilder.AllowWhenRuleFails"/>. The log says which rule.</para>
/// <para>A player that resumes after a break keeps its rooms without being asked again.</para>
/// </remarks>
public interface IChatRules
{
    /// <summary>Whether a player may create a room.</summary>
    /// <param name="player">The player that asks; its id is the account's.</param>
    /// <param name="roomName">The name, which is valid.</param>
    /// <param name="cancellationToken">Cancelled when the player's connection ends, or the time is up.</param>
    /// <returns><see langword="null"/> for yes, or a sentence for the player that says why not.</returns>
    ValueTask<string?> MayCreateRoomAsync(SessionUser player, string roomName, CancellationToken cancellationToken) => default;

    /// <summary>Whether a player may join a room.</summary>
    /// <param name="player">The player that asks; its id is the account's.</param>
    /// <param name="roomId">The room, which need not exist.</param>
    /// <param name="cancellationToken">Cancelled when the player's connection ends, or the time is up.</param>
    /// <returns><see langword="null"/> for yes, or a sentence for the player that says why not.</returns>
    ValueTask<string?> MayJoinRoomAsync(SessionUser player, long roomId, CancellationToken cancellationToken) => default;

    /// <summary>Reads a text before it is said: a message, another text for it, a topic, or the reason of a moderator.</summary>
    /// <param name="player">The player that says it.</param>
    /// <param name="roomId">The room; 0 for a direct message.</param>
    /// <param name="text">The text, valid and without control characters.</param>
    /// <param name="cancellationToken">Cancelled when the player's connection ends, or the time is up.</param>
    ValueTask<ChatTextDecision> ReadTextAsync(SessionUser player, long roomId, string text, CancellationToken cancellationToken) => default;
}
