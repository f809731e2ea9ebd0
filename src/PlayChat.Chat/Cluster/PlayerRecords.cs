using System.Collections.Concurrent;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Rooms.Members;
using PlayChat.Cluster.Log;
using PlayChat.Core.Connections;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Cluster;

/// <summary>
/// Does what the operators and players of all nodes have written to the log, for the sessions of this node: tells players something,
/// and closes sessions. Lets the writer on this node know when its record was read back. Belongs to one life of a node. Thread-safe.
/// </summary>
/// <remarks>
/// <para>Every node tells its players when it reads the record, also the writer's node. So each player hears it once.</para>
/// <para>A notice is no broadcast of <see cref="SessionRegistry"/>: it may also go to one room or one session, and the operator is told how
/// many sessions heard it.</para>
/// </remarks>
internal sealed class PlayerRecords(PlayChatServer server, RecordOrigin self)
{
    private readonly ConcurrentDictionary<long, TaskCompletionSource<int>> _expected = [];
    private readonly object _gate = new();
    private Task<int> _told = Task.FromResult(0); // guarded by _gate; what is told next waits for it, so that players hear the log's order

    /// <summary>Expects a record of this node, before it is published.</summary>
    /// <returns>
    /// Completes when the record was read back and this node has done its part, with the number of its sessions that were told.
    /// </returns>
    public Task<int> Expect(long number) => _expected.GetOrAdd(
        number, static _ => new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously)).Task;

    /// <summary>The writer does not wait any more.</summary>
    public void Forget(long number) => _expected.TryRemove(number, out _);

    /// <summary>Does what a record says. The caller is the reader of a shard, which does not wait for it.</summary>
    public void Obey(RoomEntry entry)
    {
        RoomEntryBody body = entry.Body;
        if (entry.Kind == RoomEntryKind.Moderated)
        {
            TellInvited(entry);
            return;
        }

        Task<int> done = entry.Kind == RoomEntryKind.Notice
            ? TellInOrder(entry.RoomId, body.Text)
            : Task.FromResult(0);
        if (entry.Kind != RoomEntryKind.Notice && body.Node == self && server.Sessions.Find(body.SessionId) is { } session)
        {
            Obey(entry, session);
        }

        if (entry.Origin == self && _expected.TryRemove(body.Number, out TaskCompletionSource<int>? expected))
        {
            _ = CompleteAsync(expected, done);
        }
    }

    /// <summary>Tells the devices of a player that it has entered a room on another node, if they are not in it.</summary>
    public void TellEntered(RoomEntry entry)
    {
        foreach (Session device in server.Sessions.FindAllOfUser(entry.UserId))
        {
            if (!device.IsAway && device.FindRooms<ChatRoom>().All(room => room.Id != entry.RoomId))
            {
                device.Connection.SendPacket(
                    new SRoomEnteredNtf { RoomId = entry.RoomId, Name = entry.Body.Text }, type: ChatPackets.SRoomEnteredNtf);
            }
        }
    }

    // An invited player may be on any node, and its node need not have a replica of the room.
    private void TellInvited(RoomEntry entry)
    {
        if (server.Sessions.FindUser(entry.UserId) is not null
            && RoomChange.Parse(entry.Body.Text) is { Inviter: not null } change)
        {
            server.Sessions.Tell(entry.UserId, ChatPackets.SInvitedNtf, change.ToInvitation(entry.RoomId, entry.Sequence));
        }
    }

    private void Obey(RoomEntry entry, Session session)
    {
        RoomEntryBody body = entry.Body;
        switch (entry.Kind)
        {
            case RoomEntryKind.SessionNotice:
                OperatorNotices.Tell(session, body.Text);
                break;
            case RoomEntryKind.DirectChat:
                DirectChat.Give(session, DirectChat.Create(entry.UserId, body.Name, body.Text, body.SentAtUnixMs, (long)entry.Token));
                break;
            case RoomEntryKind.DirectSent:
                var sent = new SDirectSentNtf
                {
                    PlayerId = entry.UserId,
                    Text = body.Text,
                    SentAtUnixMs = body.SentAtUnixMs,
                    Number = (long)entry.Token,
                };
                server.Sessions.Tell(session.User!.Id, ChatPackets.SDirectSentNtf, sent, delivery: Delivery.DropIfBehind);
                break;
            case RoomEntryKind.SessionClose when entry.Token == 0 || ((ChatUser)session.User!).LoginTokenId == (long)entry.Token:
                _ = Task.Run(() => OperatorNotices.CloseAsync(server.Sessions, session, body.Text));
                break;
        }
    }

    private static async Task CompleteAsync(TaskCompletionSource<int> expected, Task<int> done) => expected.TrySetResult(await done);

    private Task<int> TellInOrder(long roomId, string message)
    {
        lock (_gate)
        {
            return _told = TellAfterAsync(_told, roomId, message);
        }
    }

    private async Task<int> TellAfterAsync(Task<int> before, long roomId, string message)
    {
        // Sending to many sessions takes a while: the reader does not do it.
        await ((Task)before).ConfigureAwait(ConfigureAwaitOptions.ForceYielding | ConfigureAwaitOptions.SuppressThrowing);
        try
        {
            return OperatorNotices.Tell(server.Sessions, roomId, message);
        }
        catch (InvalidOperationException)
        {
            return 0; // the node is in the cluster before its server has started, which has no players yet
        }
    }
}
