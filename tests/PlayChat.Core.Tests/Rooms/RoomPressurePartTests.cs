using PlayChat.Core.Connections;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary><see cref="RoomPressure"/> without a room around it.</summary>
public sealed class RoomPressurePartTests
{
    private const int BehindBytes = 1000;

    [Theory]
    [InlineData(10, 1, false)] // one slow member is its own fault
    [InlineData(10, 2, true)]
    [InlineData(40, 5, false)]
    [InlineData(40, 6, true)] // more than an eighth
    public async Task The_turn_waits_when_more_than_an_eighth_and_at_least_two_are_behind(int members, int behind, bool expected)
    {
        await using var sessions = new StubSessions();
        Session[] all = sessions.Open(members);
        Stall(sessions, all[..behind]);
        var pressure = new RoomPressure(sessions.Time, BehindBytes);

        Observe(ref pressure, all);

        Assert.Equal(expected, pressure.MustHold(Connections(all)));
        Release(sessions, all[..behind]);
    }

    [Fact]
    public async Task The_wait_ends_when_the_members_have_caught_up_and_needs_a_new_flush_to_begin_again()
    {
        await using var sessions = new StubSessions();
        Session[] all = sessions.Open(4);
        Stall(sessions, all[..2]);
        var pressure = new RoomPressure(sessions.Time, BehindBytes);
        Observe(ref pressure, all);
        Assert.True(pressure.MustHold(Connections(all)));

        Release(sessions, all[..1]);
        Assert.False(pressure.MustHold(Connections(all)));
        Stall(sessions, all[..1]);

        Assert.False(pressure.MustHold(Connections(all)));
        Observe(ref pressure, all);
        Assert.True(pressure.MustHold(Connections(all)));
        Release(sessions, all[..2]);
    }

    [Fact]
    public async Task Members_that_read_nothing_delay_each_turn_by_5_milliseconds_and_after_50_none()
    {
        await using var sessions = new StubSessions();
        Session[] all = sessions.Open(4);
        Stall(sessions, all[..2]);
        var pressure = new RoomPressure(sessions.Time, BehindBytes);

        for (int turn = 1; turn <= 10; turn++)
        {
            Observe(ref pressure, all);
            Assert.True(pressure.MustHold(Connections(all)));
            sessions.Time.Advance(TimeSpan.FromMilliseconds(4));
            Assert.True(pressure.MustHold(Connections(all)));
            sessions.Time.Advance(TimeSpan.FromMilliseconds(1));
            Assert.False(pressure.MustHold(Connections(all)));
        }

        Observe(ref pressure, all); // still behind
        Assert.False(pressure.MustHold(Connections(all)));
        Release(sessions, all[..2]);
    }

    [Fact]
    public async Task Members_that_read_nothing_and_have_half_full_queues_hold_the_room_for_50_milliseconds()
    {
        await using var sessions = new StubSessions();
        Session[] all = sessions.Open(4);
        Stall(sessions, all[..2], 9 * BehindBytes);
        var pressure = new RoomPressure(sessions.Time, BehindBytes);
        Observe(ref pressure, all);
        Assert.True(pressure.MustHold(Connections(all)));

        sessions.Time.Advance(TimeSpan.FromMilliseconds(49));
        Assert.True(pressure.MustHold(Connections(all)));
        sessions.Time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.False(pressure.MustHold(Connections(all)));
        Release(sessions, all[..2]);
    }

    [Fact]
    public async Task Members_that_have_caught_up_by_a_flush_are_waited_for_again_however_much_later()
    {
        await using var sessions = new StubSessions();
        Session[] all = sessions.Open(4);
        Stall(sessions, all[..2]);
        var pressure = new RoomPressure(sessions.Time, BehindBytes);
        Observe(ref pressure, all);
        Assert.True(pressure.MustHold(Connections(all)));
        sessions.Time.Advance(TimeSpan.FromMilliseconds(5));
        Assert.False(pressure.MustHold(Connections(all)));
        Release(sessions, all[..2]);
        Observe(ref pressure, all);

        sessions.Time.Advance(TimeSpan.FromSeconds(2));
        Stall(sessions, all[..2]);
        Observe(ref pressure, all);

        Assert.True(pressure.MustHold(Connections(all)));
        Release(sessions, all[..2]);
    }

    [Fact]
    public async Task The_wait_for_members_that_read_ends_after_a_second()
    {
        await using var sessions = new StubSessions();
        Session[] all = sessions.Open(4);
        Stall(sessions, all[..2]);
        var pressure = new RoomPressure(sessions.Time, BehindBytes);
        Observe(ref pressure, all);
        Assert.True(pressure.MustHold(Connections(all)));

        for (int ms = 40; ms < 1000; ms += 40)
        {
            sessions.Time.Advance(TimeSpan.FromMilliseconds(40));
            ReadOn(sessions, all[..2]);
            Assert.True(pressure.MustHold(Connections(all)));
        }

        sessions.Time.Advance(TimeSpan.FromMilliseconds(40));
        Assert.False(pressure.MustHold(Connections(all)));

        Observe(ref pressure, all); // still behind, without a pause: no second wait
        Assert.False(pressure.MustHold(Connections(all)));
        Release(sessions, all[..2]);
    }

    private static Connection[] Connections(Session[] sessions) => Array.ConvertAll(sessions, static session => session.Connection);

    private static void Observe(ref RoomPressure pressure, Session[] members)
    {
        pressure.BeginFlush();
        foreach (Session member in members)
        {
            pressure.Observe(member.Connection);
        }

        pressure.EndFlush(members.Length);
    }

    private static void Stall(StubSessions sessions, Session[] members, int bytes = BehindBytes) => Array.ForEach(members, session =>
    {
        sessions.LinkOf(session).HoldSends = true;
        session.Connection.Send(new byte[bytes]);
    });

    /// <summary>The members take what was being sent to them, and as much waits again.</summary>
    private static void ReadOn(StubSessions sessions, Session[] members) => Array.ForEach(members, session =>
    {
        session.Connection.Send(new byte[BehindBytes]);
        sessions.LinkOf(session).CompleteSend();
    });

    private static void Release(StubSessions sessions, Session[] members) => Array.ForEach(members, session =>
    {
        sessions.LinkOf(session).HoldSends = false;
        sessions.LinkOf(session).CompleteSend();
    });
}
