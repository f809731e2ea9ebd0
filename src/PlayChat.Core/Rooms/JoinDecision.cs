namespace PlayChat.Core.Rooms;

/// <summary>
/// A room's decision about a session that wants to join: a new member, which converts to a decision, or a reason to refuse.
/// </summary>
/// <param name="Member">The new member; <see langword="null"/> refuses.</param>
/// <param name="Reason">The reason for a refusal, for the caller that asked to join; <see langword="null"/> for a general sentence.</param>
public readonly record struct JoinDecision<TMember>(TMember? Member, string? Reason = null)
    where TMember : RoomMember
{
    /// <summary>Lets the session in as this member.</summary>
    public static implicit operator JoinDecision<TMember>(TMember member) => new(member);
}
