using Microsoft.Extensions.Logging;
using PlayChat.Core.Connections;

namespace PlayChat.Protocol;

/// <summary>
/// Brings a client back whose session could not be resumed: logs in again, enters its rooms, and reads what was said there meanwhile.
/// </summary>
/// <remarks>
/// <para>
/// <see cref="RunAsync"/> runs as part of an attempt to reconnect, and is repeated as a whole when the attempt fails. What the rooms say
/// while it runs is held back. Its last step, <see cref="Finish"/>, runs on the receive loop, so that the missed messages are raised
/// before the first live one.
/// </para>
/// <para>
/// The rooms and their sequences are those at the break: entering a room replaces what the client knows of it. The rooms of
/// <paramref name="leaving"/> are not entered again.
/// </para>
/// </remarks>
internal sealed class SessionRestart(
    LoginState login,
    PacketReceiver receiver,
    PendingRequests pending,
    RoomTracker rooms,
    RequestSender requests,
    ChatEvents events,
    ChatClientOptions options,
    ILogger logger,
    List<(ushort RequestId, long RoomId)> leaving)
{
    // As many of one room's messages are read and kept for the return; with more, the room is not recovered.
    private const int MaxMissedMessages = 1000;

    // A room leaves out more sequences than these when its server did not end in order: what was said last may be lost then, whatever
    // the history has. proto/PROTOCOL.md, "Sequences".
    private const long SkippedSequences = 50_000_000;

    private readonly List<JoinedRoom> _places = [.. rooms.GetPlaces()
        .Where(place => !leaving.Exists(leave => leave.RoomId == place.RoomId))
        .Select(place => rooms.Find(place.RoomId)!)];

    private bool _isRestored; // the server knew the token, and not the session: it has restarted

    /// <summary>Makes one attempt.</summary>
    /// <param name="connection">A new connection.</param>
    /// <param name="isLoggedIn">Whether a resume token has logged the client in already.</param>
    /// <param name="why">What requests fail with that had gone out on an earlier connection.</param>
    /// <param name="cancellationToken">Cancelled when the connection ends.</param>
    public async Task RunAsync(Connection connection, bool isLoggedIn, Func<Exception> why, CancellationToken cancellationToken)
    {
        receiver.HoldRooms();
        _isRestored |= isLoggedIn;
        if (!isLoggedIn)
        {
            CLoginReq credentials = login.Credentials!;
            SLoginRes answer = await requests.AskAsync<CLoginReq, SLoginRes>(
                connection, ChatPackets.CLoginReq, credentials, options.LoginTimeout, apply: null, cancellationToken)
                .ConfigureAwait(false);
            login.Keep(credentials, answer.LoginToken);
        }

        List<(RoomRecovery Recovery, List<SRoomChatNtf> Missed)> recoveries = [];
        foreach (JoinedRoom place in _places)
        {
            recoveries.Add(await EnterAsync(connection, place, cancellationToken).ConfigureAwait(false));
        }

        // The echo has the receive loop finish: in order with what the rooms say.
        await requests.AskAsync<CEchoReq, SEchoRes>(
            connection,
            ChatPackets.CEchoReq,
            new CEchoReq(),
            options.RequestTimeout,
            _ => Finish(connection, why, recoveries),
            cancellationToken).ConfigureAwait(false);
    }

    private async Task<(RoomRecovery Recovery, List<SRoomChatNtf> Missed)> EnterAsync(
        Connection connection, JoinedRoom place, CancellationToken cancellationToken)
    {
        SJoinRoomRes joined;
        try
        {
            joined = await requests.AskAsync<CJoinRoomReq, SJoinRoomRes>(
                connection,
                ChatPackets.CJoinRoomReq,
                new CJoinRoomReq { RoomId = place.RoomId },
                options.RequestTimeout,
                apply: null,
                cancellationToken).ConfigureAwait(false);
        }
        catch (ChatErrorException e) when (!RefusalPolicy.MayPass(e))
        {
            return (
                new RoomRecovery(
                    place.RoomId,
                    place.Name,
                    IsMember: false,
                    IsRecovered: false,
                    MissedMessages: 0,
                    place.LatestSequence,
                    LatestSequence: 0),
                []);
        }

        if (_isRestored)
        {
            rooms.ExpectReturns(place.RoomId, place.Members);
        }

        long behind = joined.LatestSequence - place.LatestSequence;
        // Less than 0: a database of another time. In a cluster a large step says nothing, but another epoch does.
        bool hasSkipped = behind < 0 || joined.Epoch != place.Epoch || (joined.Epoch == 0 && behind > SkippedSequences);
        List<SRoomChatNtf>? missed = hasSkipped
            ? null
            : await ReadAsync(connection, place, through: joined.LatestSequence, cancellationToken).ConfigureAwait(false);
        var recovery = new RoomRecovery(
            place.RoomId,
            joined.Name,
            IsMember: true,
            IsRecovered: missed is not null,
            missed?.Count ?? (hasSkipped ? 0 : joined.Epoch == 0 ? behind : 1),
            place.LatestSequence,
            joined.LatestSequence);
        return (recovery, missed ?? []);
    }

    /// <summary>Reads what players said from the break to the return. What comes after that is live.</summary>
    /// <returns>Null when the server does not have all of it, or it is too much.</returns>
    private async Task<List<SRoomChatNtf>?> ReadAsync(
        Connection connection, JoinedRoom place, long through, CancellationToken cancellationToken)
    {
        List<SRoomChatNtf> missed = [];
        long after = place.LatestSequence;
        while (after < through)
        {
            SRoomHistoryRes page;
            try
            {
                page = await requests.AskAsync<CRoomHistoryReq, SRoomHistoryRes>(
                    connection,
                    ChatPackets.CRoomHistoryReq,
                    new CRoomHistoryReq { RoomId = place.RoomId, AfterSequence = after },
                    options.RequestTimeout,
                    apply: null,
                    cancellationToken).ConfigureAwait(false);
            }
            catch (ChatErrorException e) when (!RefusalPolicy.MayPass(e))
            {
                return null;
            }

            missed.AddRange(page.Messages.Where(message => !message.System && message.Sequence <= through));
            if (!page.Complete || missed.Count > MaxMissedMessages)
            {
                return null;
            }

            if (!page.More || page.Messages.Count == 0)
            {
                break;
            }

            after = page.Messages[^1].Sequence;
        }

        return missed;
    }

    private void Finish(Connection connection, Func<Exception> why, List<(RoomRecovery Recovery, List<SRoomChatNtf> Missed)> recoveries)
    {
        PacketReceiver.SendHeartbeat(connection); // as after a resume: the token has arrived
        foreach ((RoomRecovery recovery, _) in recoveries)
        {
            if (!recovery.IsMember)
            {
                rooms.Leave(recovery.RoomId);
            }
            else if (!recovery.IsRecovered)
            {
                rooms.Skip(recovery.RoomId, recovery.MissedMessages);
            }
        }

        leaving.ForEach(leave => rooms.Leave(leave.RoomId));
        ChatClientLog.Resumed(logger, recoveries.Count, recoveries.Count(static room => room.Recovery.IsRecovered));
        pending.CompleteLeaves(leaving);
        pending.FailSent(why);
        pending.Release(connection); // before anything hears of the connection, or what is sent then would be dropped
        events.Raise(new ReconnectedEventArgs([.. recoveries.Select(static room => room.Recovery)]));
        foreach (SRoomChatNtf message in recoveries.SelectMany(static room => room.Missed))
        {
            events.Raise(new ChatReceivedEventArgs(message, missedBefore: 0));
        }

        receiver.ReleaseRooms();
    }
}
