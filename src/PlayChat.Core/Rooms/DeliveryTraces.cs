namespace PlayChat.Core.Rooms;

/// <summary>The traced items of a turn whose frames are not flushed yet. For the room's turn alone.</summary>
internal sealed class DeliveryTraces(long roomId)
{
    private readonly List<(ActivityContext Parent, DateTimeOffset Sent)> _waiting = [];

    /// <summary>Notes an item that has run.</summary>
    internal void Add(ActivityContext parent) => _waiting.Add((parent, DateTimeOffset.UtcNow));

    /// <summary>Writes a span for each noted item: from the item's end until the sockets have the frames that it sent.</summary>
    internal void OnFlushed(int members)
    {
        Activity? before = Activity.Current;
        foreach ((ActivityContext parent, DateTimeOffset sent) in _waiting)
        {
            using Activity? span = PlayChatTracing.Source.StartActivity("deliver", ActivityKind.Producer, parent, startTime: sent);
            span?.SetTag("playchat.room.id", roomId);
            span?.SetTag("playchat.room.members", members);
        }

        Activity.Current = before;
        _waiting.Clear();
    }
}
