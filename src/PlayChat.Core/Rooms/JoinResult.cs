using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Core.Rooms;

/// <summary>The result of a join.</summary>
public readonly record struct JoinResult<TMember>
    where TMember : RoomMember
{
    internal JoinResult(EnterResult result, TMember? member, string? reason)
    {
        Result = result;
        Member = member;
        Reason = reason;
    }

    /// <summary>Says whether the session is a member now, and if not, why.</summary>
    public EnterResult Result { get; }

    /// <summary>The member, also if it was one before. Use its state only in the room's turn.</summary>
    public TMember? Member { get; internal init; }

    /// <summary>The reason for a refusal, in a sentence; <see langword="null"/> if the session entered.</summary>
    public string? Reason { get; }

    /// <summary>Whether this join made the session a member.</summary>
    [MemberNotNullWhen(true, nameof(Member))]
    public bool IsEntered => Result == EnterResult.Entered;
}
