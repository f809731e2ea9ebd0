namespace PlayChat.Core.Rooms;

/// <summary>What a room says to a session that wants to join: a member, which converts to it, or why not.</summary>
/// <param name="Member">The member that it becomes; <see langword="null"/> refuses.</param>
/// <param name="Reason">Why it is refused, for whoever asked; a general sentence stands for none.</param>
public readonly record struct JoinDecision<TMember>(TMember? Member, string? Reason = null)
    where TMember : RoomMember
{
    /// <summary>Lets the session in as this member.</summary>
    public static implicit operator JoinDecision<TMember>(TMember member) => new(member);
}
