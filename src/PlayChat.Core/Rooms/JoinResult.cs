namespace PlayChat.Core.Rooms;

/// <summary>The result of a join.</summary>
public readonly record struct JoinResult<TMember>
    where TMember : RoomMember
{
    internal JoinResult(JoinStatus status, TMember? member, string? reason)
    {
        Status = status;
        Member = member;
        Reason = reason;
    }

    /// <summary>Says whether the session is a member now, and if not, why.</summary>
    public JoinStatus Status { get; }

    /// <summary>The member, also if it was one before. Use its state only in the room's turn.</summary>
    public TMember? Member { get; internal init; }

    /// <summary>The reason for a refusal, in a sentence; <see langword="null"/> if the session joined.</summary>
    public string? Reason { get; }

    /// <summary>Whether this join made the session a member.</summary>
    [MemberNotNullWhen(true, nameof(Member))]
    public bool IsJoined => Status == JoinStatus.Joined;
}
