namespace PlayChat.Server.Sessions;

/// <summary>What a <see cref="Presence"/> needs of the rooms it is in.</summary>
internal interface IPresenceRoom
{
    /// <summary>Removes a player whose presence has ended. Never waits; does nothing when the player is no longer a member.</summary>
    void PostDeparture(Presence presence);
}
