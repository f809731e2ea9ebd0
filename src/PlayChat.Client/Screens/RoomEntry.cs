using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>A room that the user has just entered, by making or by joining it.</summary>
internal sealed record RoomEntry(long Id, string Name, IReadOnlyList<Member> Members);
