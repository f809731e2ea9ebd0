using System.Text;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary><see cref="RoomOutbox"/> without a room around it: the test is the turn.</summary>
public sealed class RoomOutboxTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Every_session_gets_its_frames_in_the_order_of_the_calls(int seed)
    {
        await using var sessions = new StubSessions();
        var members = new RoomMembership(new NoRoom(), capacity: 100);
        var outbox = new RoomOutbox(members, sessions.NewRoomServices());
        Session[] all = sessions.Open(50);
        Dictionary<Session, List<string>> expected = all.ToDictionary(static session => session, static _ => new List<string>());
        var random = new Random(seed);

        for (int step = 0; step < 3000; step++)
        {
            string text = $"{step}";
            Session session = all[random.Next(all.Length)];
            switch (random.Next(10))
            {
                case 0 when !members.Contains(session):
                    Assert.Equal(JoinStatus.Joined, members.TryAttach(session));
                    outbox.QueueBroadcasts();
                    members.Add(session);
                    break;
                case 1 when members.Contains(session):
                    outbox.QueueBroadcastsAndLeave(session);
                    members.RemoveAt(members.PlaceOf(session));
                    break;
                case 2:
                    Send(outbox, session, text);
                    expected[session].Add(text);
                    break;
                case 3:
                    Session[] some = [session, all[random.Next(all.Length)]];
                    outbox.SendTo(some, Bytes(text), default, default);
                    Array.ForEach(some, to => expected[to].Add(text));
                    break;
                case 4 or 5:
                    outbox.Broadcast(Bytes(text), default, default, except: session);
                    Note(members.Sessions.ToArray().Where(member => member != session), text);
                    break;
                case 6:
                    Flush(outbox);
                    break;
                default:
                    outbox.Broadcast(Bytes(text), default, default);
                    Note(members.Sessions.ToArray(), text);
                    break;
            }
        }

        Flush(outbox);
        Assert.All(all, session => Assert.Equal(expected[session].ToArray(), sessions.Received(session)));

        void Note(IEnumerable<Session> to, string text)
        {
            foreach (Session session in to)
            {
                expected[session].Add(text);
            }
        }
    }

    [Fact]
    public async Task A_large_room_is_flushed_in_slices()
    {
        await using var sessions = new StubSessions();
        var members = new RoomMembership(new NoRoom(), capacity: 100);
        var outbox = new RoomOutbox(members, sessions.NewRoomServices());
        Session[] all = sessions.OpenMembers(members, 70);

        outbox.Broadcast(Bytes("x"), default, default);
        outbox.BeginFlush();
        bool[] done = [outbox.FlushSlice(), outbox.FlushSlice(), outbox.FlushSlice()];

        Assert.Equal([false, false, true], done);
        Assert.All(all, session => Assert.Equal(["x"], sessions.Received(session)));
        Assert.False(outbox.HasFrames);
        Assert.Equal(70, sessions.Metrics.Read(Counter.Deliveries));
    }

    [Fact]
    public async Task Nothing_is_sent_before_the_flush_and_each_member_is_sent_to_once()
    {
        await using var sessions = new StubSessions();
        var members = new RoomMembership(new NoRoom(), capacity: 100);
        var outbox = new RoomOutbox(members, sessions.NewRoomServices());
        Session[] all = sessions.OpenMembers(members, 3);

        outbox.Broadcast(Bytes("1"), default, default);
        Send(outbox, all[0], "2");
        outbox.Broadcast(Bytes("3"), default, default, except: all[1]);
        int before = all.Sum(session => sessions.LinkOf(session).Sends);
        Flush(outbox);

        Assert.Equal(0, before);
        Assert.All(all, session => Assert.Equal(1, sessions.LinkOf(session).Sends));
        Assert.Equal(["1", "2", "3"], sessions.Received(all[0]));
        Assert.Equal(["1"], sessions.Received(all[1]));
        Assert.Equal(["1", "3"], sessions.Received(all[2]));
    }

    [Fact]
    public async Task A_broadcast_counts_once_for_the_turn_however_many_members_get_it()
    {
        await using var sessions = new StubSessions();
        var members = new RoomMembership(new NoRoom(), capacity: 100);
        var outbox = new RoomOutbox(members, sessions.NewRoomServices());
        sessions.OpenMembers(members, 9);

        outbox.BeginTurn();
        outbox.Broadcast(Bytes("1234"), default, default);

        Assert.Equal(2 + 4, outbox.TurnBytes);
        Assert.False(outbox.IsSmall);
        Flush(outbox);
        outbox.BeginTurn();
        Assert.Equal(0, outbox.TurnBytes);
    }

    [Fact]
    public async Task A_frame_whose_writer_throws_is_no_part_of_the_turn()
    {
        await using var sessions = new StubSessions();
        var members = new RoomMembership(new NoRoom(), capacity: 100);
        var outbox = new RoomOutbox(members, sessions.NewRoomServices());
        Session[] all = sessions.OpenMembers(members, 2);

        outbox.Broadcast(Bytes("1"), default, default);
        Assert.Throws<InvalidOperationException>(() =>
            outbox.Broadcast(default, 3, 0, static (_, _) => throw new InvalidOperationException("A writer's fault."), default));
        Assert.Throws<InvalidOperationException>(() =>
            outbox.SendTo(all, default, 3, 0, static (_, _) => throw new InvalidOperationException("A writer's fault."), default));
        Assert.Throws<ArgumentException>(() => outbox.Broadcast(new byte[sessions.Format.MaxBodyBytes + 1], default, default));
        outbox.Broadcast(Bytes("2"), default, default);
        Flush(outbox);

        Assert.All(all, session => Assert.Equal(["1", "2"], sessions.Received(session)));
    }

    [Fact]
    public async Task The_next_turn_waits_while_many_members_are_behind()
    {
        await using var sessions = new StubSessions(static options => options.MaxOutboundBytes = 64 * 1024); // behind with more than 4 KB
        var members = new RoomMembership(new NoRoom(), capacity: 100);
        var outbox = new RoomOutbox(members, sessions.NewRoomServices());
        Session[] all = sessions.OpenMembers(members, 3);
        Array.ForEach(all[..2], session => sessions.LinkOf(session).HoldSends = true);

        outbox.Broadcast(new byte[5000], default, default);
        bool before = outbox.MustHold();
        Flush(outbox);

        Assert.False(before);
        Assert.True(outbox.MustHold());
        sessions.LinkOf(all[0]).HoldSends = false;
        sessions.LinkOf(all[0]).CompleteSend();
        Assert.False(outbox.MustHold());
        sessions.LinkOf(all[1]).CompleteSend();
    }

    private static byte[] Bytes(string text) => Encoding.Latin1.GetBytes(text);

    private static void Send(RoomOutbox outbox, Session to, string text) =>
        Assert.True(outbox.Send(to, default, text.Length, text, static (body, t) => Encoding.Latin1.GetBytes(t, body), default));

    private static void Flush(RoomOutbox outbox)
    {
        outbox.BeginFlush();
        while (!outbox.FlushSlice())
        {
        }
    }
}
