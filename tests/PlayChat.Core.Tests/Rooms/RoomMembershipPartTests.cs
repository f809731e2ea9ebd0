using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary><see cref="RoomMembership"/> without a room around it.</summary>
public sealed class RoomMembershipPartTests
{
    [Fact]
    public async Task Random_changes_keep_sessions_connections_and_places_in_step()
    {
        await using var sessions = new StubSessions();
        var members = new RoomMembership(new NoRoom(), capacity: 20);
        Session[] all = sessions.Open(20);
        HashSet<Session> expected = [];
        var random = new Random(7);

        for (int step = 0; step < 2000; step++)
        {
            Session session = all[random.Next(all.Length)];
            if (expected.Remove(session))
            {
                members.RemoveAt(members.PlaceOf(session));
            }
            else
            {
                Assert.Equal(JoinStatus.Joined, members.TryAttach(session));
                members.Add(session);
                expected.Add(session);
            }

            Assert.Equal(expected, members.Sessions.ToArray().ToHashSet());
            Assert.Equal(expected.Count, members.Count);
            for (int place = 0; place < members.Count; place++)
            {
                Assert.Same(members.Sessions[place].Connection, members.Connections[place]);
                Assert.Equal(place, members.PlaceOf(members.Sessions[place]));
            }
        }

        Assert.All(all, session => Assert.Equal(expected.Contains(session), members.Contains(session)));
    }

    [Fact]
    public async Task A_session_is_attached_only_if_it_is_new_open_and_below_the_capacity()
    {
        await using var sessions = new StubSessions();
        var room = new NoRoom();
        var members = new RoomMembership(room, capacity: 1);
        Session member = sessions.Open();
        Session ended = sessions.Open();
        ended.Connection.Abort();
        await ended.Connection.Closed.WaitAsync(TestTimeouts.Hang);
        sessions.Registry.Close(ended);

        JoinStatus before = members.TryAttach(ended);
        JoinStatus first = members.TryAttach(member);
        members.Add(member);

        Assert.Equal(JoinStatus.SessionEnded, before);
        Assert.Equal(JoinStatus.Joined, first);
        Assert.Equal(JoinStatus.AlreadyMember, members.TryAttach(member));
        Assert.True(members.IsFull);
        Assert.Equal(JoinStatus.Full, members.TryAttach(sessions.Open()));
        Assert.Same(room, Assert.Single(member.Attachments.ToArray()));
    }

    [Fact]
    public async Task A_removed_member_is_detached_and_the_last_member_takes_its_place()
    {
        await using var sessions = new StubSessions();
        var members = new RoomMembership(new NoRoom(), capacity: 10);
        Session[] all = sessions.OpenMembers(members, 3);

        members.RemoveAt(0);

        Assert.Equal([all[2], all[1]], members.Sessions.ToArray());
        Assert.Equal(-1, members.PlaceOf(all[0]));
        Assert.True(all[0].Attachments.IsEmpty);
        Assert.False(all[1].Attachments.IsEmpty);
    }
}
