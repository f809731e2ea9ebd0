using PlayChat.Core.Connections;

namespace PlayChat.Core.Rooms;

/// <summary>Back pressure from the members of a room to its senders: decides whether the room's next turn waits.</summary>
/// <remarks>
/// <para>A broadcast multiplies. If a room kept running while its members' queues grow, it would turn the frames it receives into many
/// times as many bytes of memory, and finally close members that do read. Therefore the turn waits, the room's queue fills, and its
/// senders are not read.</para>
/// <para>It waits only for members that read. One that has read nothing for 50 ms does not count, however much waits for it: otherwise a
/// few that stop reading would hold the room for all. Such a member ends as a slow consumer.</para>
/// <para>Invariant: <c>_heldSince</c> has a value only while many members have been behind at every check since then.</para>
/// <para>A mutable struct, so that a delivery reads no further object: embed it and never copy it. Only the room's turn uses it.</para>
/// </remarks>
internal struct RoomPressure
{
    // The most members that one check looks at, spread evenly: looking at each member of a large room would cost as much as a small turn.
    private const int MaxChecked = 64;

    // After this time the members have probably stopped reading for good. The room then continues, so that their queues fill and they end
    // as slow consumers.
    private static readonly TimeSpan s_maxHold = TimeSpan.FromSeconds(1);

    // A busy network can delay the reads of a member for this long.
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(50);

    private readonly TimeProvider _time;
    private readonly int _behindBytes;
    private readonly long _patience; // in ticks of the clock
    private int _behind; // members counted in the present flush
    private bool _isPressed; // many members were behind after the last flush
    private long? _heldSince; // in ticks of the clock

    /// <param name="time">The server's clock.</param>
    /// <param name="behindBytes">A member with more bytes than this in its outbound queue is behind.</param>
    internal RoomPressure(TimeProvider time, int behindBytes)
    {
        _time = time;
        _behindBytes = behindBytes;
        _patience = (long)(s_patience.TotalSeconds * time.TimestampFrequency);
    }

    internal void BeginFlush() => _behind = 0;

    /// <summary>Counts a connection that has just been flushed, if it is behind.</summary>
    internal void Observe(Connection connection)
    {
        if (IsBehind(connection))
        {
            _behind++;
        }
    }

    internal void EndFlush(int members) => _isPressed = AreMany(_behind, members);

    /// <summary>Returns whether the next turn has to wait until members have been sent more of what they have queued.</summary>
    internal bool MustHold(ReadOnlySpan<Connection> members)
    {
        if (!_isPressed)
        {
            return false;
        }

        long now = _time.GetTimestamp();
        if (!AreManyBehind(members, now))
        {
            _isPressed = false;
            _heldSince = null;
            return false;
        }

        _heldSince ??= now;
        return _time.GetElapsedTime(_heldSince.Value, now) < s_maxHold;
    }

    // One member that is behind is slow, and ends as a slow consumer. If many are behind, the server or its network is slow. An eighth,
    // because clients that share a processor are served in turns: half of them can be far behind while the others have nothing queued.
    private static bool AreMany(int behind, int members) => behind > 1 && behind * 8 > members;

    private readonly bool IsBehind(Connection connection) => connection.OutboundBytes > _behindBytes;

    private readonly bool AreManyBehind(ReadOnlySpan<Connection> members, long now)
    {
        int step = Math.Max(1, members.Length / MaxChecked);
        int looks = 0;
        int behind = 0;
        for (int m = 0; m < members.Length; m += step)
        {
            looks++;
            if (IsBehind(members[m]) && !members[m].HasNotReadFor(_patience, now))
            {
                behind++;
            }
        }

        return AreMany(behind, looks);
    }
}
