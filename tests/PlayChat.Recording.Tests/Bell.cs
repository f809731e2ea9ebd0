using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;

namespace PlayChat.Recording.Tests;

/// <summary>A part of a room that sends at the end of a turn, and by a timer.</summary>
internal sealed class Bell : RoomPart
{
    private bool _rings;

    internal void Ring()
    {
        _rings = true;
        After(TimeSpan.FromSeconds(1), () => Broadcast("dong"u8, new FrameHeader(900)));
    }

    protected internal override void OnTurnEnd()
    {
        if (_rings)
        {
            _rings = false;
            Broadcast("ding"u8, new FrameHeader(900));
        }
    }
}
