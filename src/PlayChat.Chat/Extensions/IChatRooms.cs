namespace PlayChat.Chat.Extensions;

/// <summary>The rooms of the chat, for bots and services in the same program: the host's services have it. Thread-safe.</summary>
public interface IChatRooms
{
    /// <summary>
    /// Says something in a room, in the name of an account that need not be in it. It is heard, stored and read as what players say, and no
    /// <see cref="IChatRules"/> are asked.
    /// </summary>
    /// <param name="roomId">
    /// The room. In a cluster a room that has members on this node; without one, a room that has members, or one that lasts.
    /// </param>
    /// <param name="player">The name of the account. The server makes one without a password for a name that it does not know.</param>
    /// <param name="text">The text, up to the bytes that a player may say.</param>
    /// <param name="messageId">
    /// A number of your own for the text: while the room remembers it (<c>Rooms:RecentMessageIds</c>), it is not said again. 0, the
    /// default, for none.
    /// </param>
    /// <param name="cancellationToken">Ends the wait; the text may be said all the same.</param>
    /// <exception cref="StorageException">The database cannot find or make the account.</exception>
    Task<ChatSayResult> SayAsync(
        long roomId, string player, string text, ulong messageId = 0, CancellationToken cancellationToken = default);
}
