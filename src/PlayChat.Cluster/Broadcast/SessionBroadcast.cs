namespace PlayChat.Cluster.Broadcast;

/// <summary>Carries frames to the logged-in sessions of all nodes, through the first shard of the cluster's log. Thread-safe.</summary>
/// <remarks>
/// Every node sends a frame when it reads the record, also the node that published it. So each session gets it once, and in the log's
/// order. The reader sends it itself: no queue grows when the log is faster than the sessions.
/// </remarks>
internal sealed class SessionBroadcast(IRoomBackplane log, SessionAudience audience) : IShardHandler, IAsyncDisposable
{
    private const int Shard = 0;
    private const int HeaderBytes = 2 * sizeof(ushort); // packet id, sender id

    private readonly ConcurrentDictionary<ulong, TaskCompletionSource<PublishResult>> _expected = [];
    private IAsyncDisposable? _subscription;
    private long _lastNumber;
    private volatile bool _isClosed;

    /// <summary>Begins to read, with what is published from now on.</summary>
    public async Task StartAsync(CancellationToken cancellationToken) =>
        _subscription = await log.SubscribeAsync(Shard, SubscribeFrom.Tail, this, cancellationToken).ConfigureAwait(false);

    /// <summary>Publishes a frame, and waits until this node has read it back and sent it.</summary>
    public async Task<PublishResult> SendAsync(ReadOnlyMemory<byte> body, FrameHeader header, CancellationToken cancellationToken)
    {
        audience.RequireCarries(body.Span);
        byte[] bytes = new byte[HeaderBytes + body.Length];
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, header.PacketId);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(sizeof(ushort)), header.SenderId);
        body.CopyTo(bytes.AsMemory(HeaderBytes));
        ulong number = (ulong)Interlocked.Increment(ref _lastNumber);
        var done = new TaskCompletionSource<PublishResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        _expected[number] = done;
        try
        {
            PublishResult result = _isClosed
                ? PublishResult.Unavailable
                : log.Publish(Shard, new RoomRecord { Kind = RecordKind.Broadcast, Token = number, Body = bytes });
            if (_isClosed)
            {
                done.TrySetCanceled(CancellationToken.None); // closed meanwhile: no reader completes it
            }

            return result == PublishResult.Accepted ? await done.Task.WaitAsync(cancellationToken).ConfigureAwait(false) : result;
        }
        finally
        {
            _expected.TryRemove(number, out _);
        }
    }

    public void OnBroadcast(RecordOrigin origin, in RoomRecord record)
    {
        if (record.Body.Length < HeaderBytes)
        {
            return;
        }

        ReadOnlySpan<byte> bytes = record.Body.Span;
        var header = new FrameHeader(
            BinaryPrimitives.ReadUInt16LittleEndian(bytes), SenderId: BinaryPrimitives.ReadUInt16LittleEndian(bytes[sizeof(ushort)..]));
        try
        {
            audience.Send(bytes[HeaderBytes..], header, default, static session => session.User is not null);
        }
        finally
        {
            if (origin == log.Origin && _expected.TryRemove(record.Token, out TaskCompletionSource<PublishResult>? done))
            {
                done.TrySetResult(PublishResult.Accepted);
            }
        }
    }

    public void OnRecord(in LogPosition position, RecordOrigin origin, in RoomRecord record)
    {
    }

    public void OnGap(LogPosition wanted, LogPosition found, GapReason reason) => CancelAll(); // the records may be in the gap

    public void OnNodeDown(RecordOrigin origin)
    {
    }

    /// <summary>Stops reading. Callers that still wait are cancelled.</summary>
    public async ValueTask DisposeAsync()
    {
        _isClosed = true;
        await (_subscription?.DisposeAsync() ?? default).ConfigureAwait(false);
        CancelAll();
    }

    private void CancelAll()
    {
        foreach (TaskCompletionSource<PublishResult> done in _expected.Values)
        {
            done.TrySetCanceled();
        }
    }
}
