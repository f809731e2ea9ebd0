namespace PlayChat.Core.Rooms;

/// <summary>
/// A room's decision about a session that wants to join. Return the new member, which converts to a decision, or the result of
/// <see cref="MemberRoom{TMember}.Refuse"/>.
/// </summary>
public readonly record struct JoinDecision<TMember>
    where TMember : RoomMember
{
    internal JoinDecision(TMember? member, string? reason)
    {
        Member = member;
        Reason = reason;
    }

    /// <summary>The new member; <see langword="null"/> refuses.</summary>
    internal TMember? Member { get; }

    /// <summary>The reason for a refusal, for the caller that asked to join; <see langword="null"/> for a general sentence.</summary>
    internal string? Reason { get; }

    /// <summary>Lets the session in as this member.</summary>
    public static implicit operator JoinDecision<TMember>(TMember member) => new(member, reason: null);
}
