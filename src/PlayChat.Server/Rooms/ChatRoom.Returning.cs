using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Sessions;

namespace PlayChat.Server.Rooms;

// Members whose connection broke: they stay, without a session, until they come back or their time is over.
internal sealed partial class ChatRoom
{
    /// <summary>Lets a player go whose time is over. Never waits; nothing happens when it is no member any more.</summary>
    // When the queue is full it waits in it: nobody else would let the player go.
    public void PostDeparture(Presence presence) =>
        _ = this.PostAsync(static (ChatRoom room, Presence gone, object? _) => room.Depart(gone), presence, null, CancellationToken.None).AsTask();

    /// <summary>Lets a player go of whose membership its client does not know.</summary>
    public Task DepartAsync(Presence presence, CancellationToken cancellationToken) =>
        AskAsync(
            room =>
            {
                room.Depart(presence);
                return true;
            },
            cancellationToken);

    /// <summary>Finds out what can be given to a member who comes back.</summary>
    /// <param name="presence">Who.</param>
    /// <param name="after">The last sequence that it has seen.</param>
    /// <param name="cancellationToken">It has gone again.</param>
    /// <returns><see langword="null"/> when it is no member.</returns>
    public Task<RoomStanding?> AskStandingAsync(Presence presence, long after, CancellationToken cancellationToken) =>
        AskAsync(room => room.FindPlace(presence) is null ? null : room._history.Measure(after), cancellationToken);

    /// <summary>Lets a member who is back hear the room again.</summary>
    /// <param name="presence">Who.</param>
    /// <param name="session">Where it is now.</param>
    /// <param name="after">It gets everything after this sequence; <see langword="null"/> tells it how the room stands instead.</param>
    /// <param name="cancellationToken">It has gone again.</param>
    public Task ReturnAsync(Presence presence, Session session, long? after, CancellationToken cancellationToken) =>
        AskAsync(
            room =>
            {
                room.Return(presence, session, after);
                return true;
            },
            cancellationToken);

    private RoomMember? FindPlace(Presence presence) =>
        _members.TryGetValue(presence.User.Id, out RoomMember? member) && member.Presence == presence ? member : null;

    private void Depart(Presence presence)
    {
        if (FindPlace(presence) is { } member)
        {
            Depart(member);
        }
    }

    private void Return(Presence presence, Session session, long? after)
    {
        if (FindPlace(presence) is not { } member || !presence.IsOn(session))
        {
            return; // left, or back on a newer session already
        }

        if (member.Session is { } older)
        {
            Leave(older); // half open: its end has not been noticed yet
            member.Session = null;
        }

        // Missed packets and live ones meet here: the memory holds what was said until now, and the session hears what is said from now on.
        if (Enter(session) != EnterResult.Entered)
        {
            return; // gone again in this very moment
        }

        member.Session = session;
        if (after is { } seen && _history.Reaches(seen))
        {
            Replay(session, seen);
        }
        else
        {
            SendPacket(session, ChatPackets.SRoomStateNtf, Fill(new SRoomStateNtf { RoomId = Id, Name = Name, LatestSequence = _history.Latest }));
        }
    }

    private void Replay(Session session, long after)
    {
        foreach (RoomEvent missed in _history.EventsAfter(after))
        {
            if (missed.IsMessage)
            {
                missed.Fill(_message, Id);
                SendPacket(session, ChatPackets.SRoomChatNtf, _message);
            }
            else
            {
                SendPacket(session, ChatPackets.SJoinRoomNtf, missed.ToJoin(Id));
            }
        }
    }
}
