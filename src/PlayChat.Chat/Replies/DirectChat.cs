using PlayChat.Core.Connections;

namespace PlayChat.Chat.Replies;

/// <summary>Gives players of this server direct messages. Thread-safe.</summary>
internal static class DirectChat
{
    /// <summary>Makes the packet of a message.</summary>
    /// <param name="playerId">The player that sends it.</param>
    /// <param name="playerName">That player's name.</param>
    /// <param name="text">The text, which was checked.</param>
    /// <param name="sentAtUnixMs">When the sender's server received it: milliseconds since 1970.</param>
    /// <param name="number">Its number in the conversation; 0, the default, when it is not stored.</param>
    public static SDirectChatNtf Create(long playerId, string playerName, string text, long sentAtUnixMs, long number = 0) =>
        new() { PlayerId = playerId, PlayerName = playerName, Text = text, SentAtUnixMs = sentAtUnixMs, Number = number };

    /// <summary>Gives a player a message on each of its devices.</summary>
    /// <returns>Whether one has taken it.</returns>
    public static bool Give(IReadOnlyList<Session> devices, SDirectChatNtf message)
    {
        bool isGiven = false;
        foreach (Session device in devices)
        {
            isGiven |= Give(device, message);
        }

        return isGiven;
    }

    /// <summary>Gives the player of a session a message.</summary>
    /// <remarks>A player that reads slowly loses messages and not its connection, because it has not asked for them.</remarks>
    /// <returns>
    /// <see langword="false"/> when the player is away, its connection has ended, or it is behind (<see cref="Delivery.DropIfBehind"/>).
    /// </returns>
    public static bool Give(Session session, SDirectChatNtf message) =>
        !session.IsAway && session.Connection.SendPacket(message, delivery: Delivery.DropIfBehind, type: ChatPackets.SDirectChatNtf);
}
