namespace PlayChat.Core.Rooms;

/// <summary>Gives sessions a seat in a room, takes seats back, and follows the connections of the members. It has no state.</summary>
/// <remarks>
/// Invariant: before the membership or the connection of a member changes, what the turn has broadcast so far is queued. So a session gets
/// what is broadcast while it has a seat, and nothing else. Only the room's turn uses it.
/// </remarks>
internal readonly struct RoomSeats(Room room, RoomMembership members, RoomOutbox outbox, RoomQueue queue)
{
    /// <summary>Makes a session a member without a hook, if the room was not removed.</summary>
    /// <returns><see cref="JoinStatus.Joined"/>, or the reason why the session is no new member.</returns>
    internal JoinStatus Seat(Session session)
    {
        JoinStatus result = room.IsRemoved ? JoinStatus.Removed : members.TryAttach(session);
        if (result == JoinStatus.Joined)
        {
            outbox.QueueBroadcasts();
            members.Add(session);
            room.Role?.OnSeated(session);
            if (session.Announced.IsAway)
            {
                queue.PostChanged(session); // it became away before it was attached
            }
        }

        return result;
    }

    /// <summary>Ends a membership without a hook.</summary>
    /// <returns><see langword="false"/> if the session was no member.</returns>
    internal bool Unseat(Session session)
    {
        int place = members.PlaceOf(session);
        if (place < 0)
        {
            return false;
        }

        outbox.QueueBroadcastsAndLeave(session);
        members.RemoveAt(place);
        outbox.LeaveReplay(session);
        room.Role?.OnUnseated(session);
        room.RemoveIfEmpty();
        room.RemoveMemberAt(place);
        return true;
    }

    /// <summary>Lets a member go away or return, as its session did.</summary>
    internal void Follow(Session session, Connection connection, bool isAway)
    {
        int place = members.PlaceOf(session);
        if (place < 0)
        {
            return;
        }

        // A member that has returned before the room learned that it was away passes through both.
        if (!members.IsAway(session) && (isAway || members.Connections[place] != connection))
        {
            outbox.BeginReplay(session);
            members.SetAway(session);
            room.CallAway(session);
        }

        if (!isAway)
        {
            Return(session, connection);
        }
    }

    private void Return(Session member, Connection connection)
    {
        // OnAway may have removed it.
        if (members.IsAway(member) && members.PlaceOf(member) is >= 0 and var place)
        {
            Connection former = members.Connections[place];
            outbox.QueueBroadcasts();
            members.SetReturned(place, connection);
            bool isReplayed = outbox.Replay(member, connection);
            bool isRecovered = isReplayed && member.HasReceivedAll(former);
            room.CallReturned(member, room.Tape?.Recovered(isRecovered) ?? isRecovered);
        }
    }
}
