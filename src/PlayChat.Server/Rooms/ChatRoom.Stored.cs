using PlayChat.Core.Rooms;
using PlayChat.Protocol;

namespace PlayChat.Server.Rooms;

// ChatLog:Durability Stored: a message has its place at once, and is heard when the store has it. A join or a leave that is asked for waits until all
// messages before it have been heard; a lost link does not wait, for what it says is a message.
internal sealed partial class ChatRoom
{
    // What waits in a room that cannot store is bounded: messages that have their places by the chat log's queue, all else by this.
    private const int MaxDeferredJobs = 1024;

    private const string NotStoredYet =
        "The server cannot store messages now. This one may still be stored and heard later: send it again with the same client_message_id to find out.";

    private readonly UnstoredQueue? _unstored; // null under Async

    /// <summary>When the oldest of what waits for the store came, as a timestamp; 0 when nothing does. From anywhere.</summary>
    public long OldestUnstored => _unstored?.OldestTimestamp ?? 0;

    /// <summary>Messages up to a sequence are stored. From anywhere.</summary>
    public void NoteStored(long sequence) =>
        _ = this.PostAsync(static (ChatRoom room, object through, object? _) => room.DeliverStored((long)through), sequence, null, CancellationToken.None).AsTask();

    /// <summary>Tells those who have waited for the store since before a moment that it cannot be reached. From anywhere.</summary>
    public void NoteOverdue(long timestamp) =>
        _ = this.PostAsync(static (ChatRoom room, object since, object? _) => room.FailOverdue((long)since), timestamp, null, CancellationToken.None).AsTask();

    /// <summary>Does something that has a place of its own in what members see: now, or when all before it has been heard.</summary>
    private void InOrder(RoomRequest request, Action<ChatRoom, RoomRequest> job)
    {
        if (_unstored is null or { IsEmpty: true })
        {
            job(this, request);
        }
        else
        {
            Defer<object?>(request, null, (room, asked, _) => job(room, asked), isMessage: false);
        }
    }

    private void Defer<TArgument>(RoomRequest request, TArgument argument, Action<ChatRoom, RoomRequest, TArgument> job, bool isMessage)
    {
        if (_unstored!.Jobs >= MaxDeferredJobs)
        {
            Fail(request, ErrorCode.StorageUnavailable, "The server cannot store messages now, and too much waits for that. Try again later.");
            return;
        }

        _unstored.Add(new DeferredJob(() => Serve(request, argument, job), request, isMessage, _services.Time.GetTimestamp()));
    }

    private void Await(in RoomEvent said, RoomRequest? request, CRoomChatReq? packet)
    {
        _services.Delivery.Add(this); // before the log can have stored it
        _unstored!.Add(new UnstoredMessage(said, request, packet, _services.Time.GetTimestamp()));
    }

    private void DeliverStored(long through)
    {
        while (_unstored!.TakeStored(through) is { } stored)
        {
            Deliver(stored.Said, stored.Request, stored.Packet);
            foreach (RoomRequest repeat in stored.Repeats ?? [])
            {
                AnswerSaid(repeat, stored.Packet!, stored.Said.Sequence, isDuplicate: true);
            }
        }

        RunDeferred();
    }

    private void RunDeferred()
    {
        while (_unstored!.TakeJob() is { } job)
        {
            if (!job.Request.IsAnswered)
            {
                job.Run();
            }
        }

        if (_unstored.IsEmpty)
        {
            _services.Delivery.Remove(this);
        }
    }

    private void FailOverdue(long since)
    {
        foreach (RoomRequest request in _unstored!.WaitingSince(since).Where(static request => !request.IsAnswered).ToArray())
        {
            Fail(request, ErrorCode.StorageUnavailable, NotStoredYet);
        }
    }
}
