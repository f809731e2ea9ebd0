namespace PlayChat.Core.Rooms;

/// <summary>Back pressure from the members of a room to its senders: decides whether the room's next turn waits.</summary>
/// <remarks>
/// <para>A broadcast multiplies. If a room kept running while its members' queues grow, it would turn the frames it receives into many
/// times as many bytes of memory, and finally close members that do read. Therefore the turn waits, the room's queue fills, and its
/// senders are not read.</para>
/// <para>It waits only for members that read, or a few that stop reading would hold the room for all. Members that have read nothing for
/// 5 ms delay each turn by at most 5 ms, unless their queues are half full. Members that have read nothing for 50 ms do not count: they
/// end as slow consumers. A turn sends a member at most an eighth of its queue, so a member that pauses for less than 50 ms loses
/// nothing.</para>
/// <para>Invariant: <c>_pressedSince</c> has a value only while many members have been behind at every check since then.
/// <c>_turnWaitsSince</c> has one only while the next turn waits.</para>
/// <para>A mutable struct, so that a delivery reads no further object: embed it and never copy it. Only the room's turn uses it.</para>
/// </remarks>
internal struct RoomPressure
{
    // The most members that one check looks at, spread evenly: looking at each member of a large room would cost as much as a small turn.
    private const int MaxChecked = 64;

    // A member with so many times the bytes that make it behind has a queue that is half full.
    private const int HalfFull = 8;

    // After this time the members have probably stopped reading for good. The room then continues, so that their queues fill and they end
    // as slow consumers.
    private static readonly TimeSpan s_maxHold = TimeSpan.FromSeconds(1);

    // A busy network can delay the reads of a member for this long.
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(50);

    // What players do not notice.
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(5);

    private readonly TimeProvider _time;
    private readonly int _behindBytes;
    private readonly long _patience; // this and all below in ticks of the clock
    private readonly long _pause;
    private long? _pressedSince;
    private long? _turnWaitsSince;
    private int _behind; // members counted in the present flush
    private bool _isPressed; // many members were behind after the last flush

    /// <param name="time">The server's clock.</param>
    /// <param name="behindBytes">A member with more bytes than this in its outbound queue is behind.</param>
    internal RoomPressure(TimeProvider time, int behindBytes)
    {
        _time = time;
        _behindBytes = behindBytes;
        _patience = (long)(s_patience.TotalSeconds * time.TimestampFrequency);
        _pause = (long)(s_pause.TotalSeconds * time.TimestampFrequency);
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

    internal void EndFlush(int members)
    {
        _isPressed = AreMany(_behind, members);
        if (!_isPressed)
        {
            EndWait();
        }
    }

    /// <summary>Returns whether the next turn has to wait until members have been sent more of what they have queued.</summary>
    internal bool MustHold(ReadOnlySpan<Connection> members)
    {
        if (!_isPressed)
        {
            return false;
        }

        long now = _time.GetTimestamp();
        (int looks, int behind, int reading) = Look(members, now);
        if (!AreMany(behind, looks))
        {
            _isPressed = false;
            EndWait();
            return false;
        }

        _pressedSince ??= now;
        _turnWaitsSince ??= now;
        bool mustHold = _time.GetElapsedTime(_pressedSince.Value, now) < s_maxHold
            && (AreMany(reading, looks) || now - _turnWaitsSince.Value < _pause);
        if (!mustHold)
        {
            _turnWaitsSince = null;
        }

        return mustHold;
    }

    private void EndWait()
    {
        _pressedSince = null;
        _turnWaitsSince = null;
    }

    // One member that is behind is slow, and ends as a slow consumer. If many are behind, the server or its network is slow. An eighth,
    // because clients that share a processor are served in turns: half of them can be far behind while the others have nothing queued.
    private static bool AreMany(int behind, int members) => behind > 1 && behind * 8 > members;

    private readonly bool IsBehind(Connection connection) => connection.OutboundBytes > _behindBytes;

    /// <summary>Counts members that are behind, and those among them that the turn waits for until they have read.</summary>
    private readonly (int Looks, int Behind, int Reading) Look(ReadOnlySpan<Connection> members, long now)
    {
        int step = Math.Max(1, members.Length / MaxChecked);
        int looks = 0;
        int behind = 0;
        int reading = 0;
        for (int m = 0; m < members.Length; m += step)
        {
            looks++;
            Connection member = members[m];
            if (IsBehind(member) && !member.HasNotReadFor(_patience, now))
            {
                behind++;
                reading += !member.HasNotReadFor(_pause, now) || member.OutboundBytes > HalfFull * _behindBytes ? 1 : 0;
            }
        }

        return (looks, behind, reading);
    }
}
