using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Core.Rooms;

/// <summary>What became of a wish to join a room.</summary>
/// <param name="Result">Whether the session is a member now, or why not.</param>
/// <param name="Member">The member, also when it was one already; its state belongs to the room's turn.</param>
/// <param name="Reason">Why not, in a sentence; <see langword="null"/> when it entered.</param>
public readonly record struct JoinResult<TMember>(EnterResult Result, TMember? Member, string? Reason)
    where TMember : RoomMember
{
    /// <summary>Whether it became a member by this.</summary>
    [MemberNotNullWhen(true, nameof(Member))]
    public bool IsEntered => Result == EnterResult.Entered;
}
