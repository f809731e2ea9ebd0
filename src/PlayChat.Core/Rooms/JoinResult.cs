using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Core.Rooms;

/// <summary>The result of a join.</summary>
/// <param name="Result">Says whether the session is a member now, and if not, why.</param>
/// <param name="Member">The member, also if it was one before. Use its state only in the room's turn.</param>
/// <param name="Reason">The reason for a refusal, in a sentence; <see langword="null"/> if the session entered.</param>
public readonly record struct JoinResult<TMember>(EnterResult Result, TMember? Member, string? Reason)
    where TMember : RoomMember
{
    /// <summary>Whether this join made the session a member.</summary>
    [MemberNotNullWhen(true, nameof(Member))]
    public bool IsEntered => Result == EnterResult.Entered;
}
