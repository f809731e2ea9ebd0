namespace PlayChat.Core.Rooms;

/// <summary>A page of the list of rooms.</summary>
public sealed record RoomPage
{
    internal RoomPage(IReadOnlyList<RoomInfo> rooms, bool hasMore)
    {
        Rooms = rooms;
        HasMore = hasMore;
    }

    /// <summary>The rooms, by rising id.</summary>
    public IReadOnlyList<RoomInfo> Rooms { get; }

    /// <summary>Whether more matching rooms follow; <see cref="RoomQuery.AfterId"/> gets them.</summary>
    public bool HasMore { get; }
}
