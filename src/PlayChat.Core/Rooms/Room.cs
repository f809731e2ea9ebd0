using System.Collections.Concurrent;
using System.Threading.Channels;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

/// <summary>A named group with a state of its own, which is touched only in the room's turn and so needs no lock.</summary>
/// <remarks>
/// Derive from it, keep the state in fields, and queue what changes it with <see cref="RoomPosting"/>. The protected members are for
/// the turn alone; the public ones are thread-safe. An idle room holds no thread and no task.
/// </remarks>
public abstract partial class Room : ISessionAttachment
{
    private readonly RoomContext _context;
    private readonly RoomServices _services;
    private readonly Channel<RoomItem> _items;
    private readonly ConcurrentQueue<Session> _lost = new(); // sessions that ended: to be heard even when the queue is full
    private List<TaskCompletionSource>? _drained; // the turn's: to be told when it has flushed
    private List<TaskCompletionSource>? _drainedNext; // of the turn before: a timer was due at its end. Put off once: of a room that is late something is always due
    private volatile bool _removed;

    /// <summary>Makes a room. <see cref="RoomRegistry"/> calls it and registers what it made.</summary>
    /// <param name="context">From the registry.</param>
    protected Room(RoomContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        _context = context;
        _services = context.Services;
        _items = Channel.CreateBounded<RoomItem>(new BoundedChannelOptions(_services.Options.QueueItems)
        {
            SingleReader = true,
            FullMode = BoundedChannelFullMode.Wait,
        });
        _flushTicks = ToTicks(_services.Options.FlushInterval);
        _maxHoldTicks = ToTicks(s_maxHold);
        _lastFlush = _services.Time.GetTimestamp() - _flushTicks;
        _flushWait = _flushTicks > 0 ? new FlushWait(this, _services) : null;
        RoomSettings settings = context.Settings;
        _capacity = Math.Min(settings.Capacity, _services.Options.MaxMembers);
        _removeWhenEmpty = settings.RemoveWhenEmpty;
        _info = new RoomInfo
        {
            Id = context.Id,
            Name = settings.Name,
            Capacity = _capacity,
            IsPrivate = settings.IsPrivate,
            OwnerId = settings.OwnerId,
            Properties = new Dictionary<string, string>(settings.Properties, StringComparer.Ordinal),
        };
        SetPassword(settings.Password);
    }

    /// <summary>Its number, from 1 on.</summary>
    public long Id => _context.Id;

    /// <summary>What it is called; not unique.</summary>
    public string Name => _context.Settings.Name;

    /// <summary>How many members it has: exact in the turn, elsewhere as of a moment ago.</summary>
    public int MemberCount => Volatile.Read(ref _memberCount);

    /// <summary>Whether it was removed. Jobs that were queued before still run, and should look at this.</summary>
    public bool IsRemoved => _removed;

    /// <summary>Queues a frame for <see cref="OnFrame"/>; the body is copied. Never waits.</summary>
    /// <param name="from">Who sent it.</param>
    /// <param name="frame">As it was received.</param>
    /// <returns><see langword="false"/> when the queue is full (<see cref="RoomOptions.QueueItems"/>, <see cref="RoomOptions.QueueBytes"/>) or the room was removed.</returns>
    public bool PostFrame(Session from, in Frame frame) => TryPost(ItemOf(from, in frame));

    /// <summary>Queues a frame for <see cref="OnFrame"/>, and waits while the queue is full; the body is copied at once.</summary>
    /// <param name="from">Who sent it.</param>
    /// <param name="frame">As it was received.</param>
    /// <returns><see langword="false"/> when the room was removed.</returns>
    public ValueTask<bool> PostFrameAsync(Session from, in Frame frame)
    {
        RoomItem item = ItemOf(from, in frame);
        return TryWrite(in item) ? new ValueTask<bool>(true) : PostWhenRoomAsync(item, from.Connection.Aborted);
    }

    void ISessionAttachment.OnSessionEnded(Session session)
    {
        _lost.Enqueue(session);
        Schedule();
    }

    internal RoomItem ItemOf(RoomInvoker invoker, Delegate job, object? first, object? second) =>
        new(invoker, job, first, second, null, default, _services.Time.GetTimestamp());

    internal bool TryPost(in RoomItem item)
    {
        if (TryWrite(in item))
        {
            return true;
        }

        _services.Metrics.Add(Counter.JobsRefused);
        item.Body?.Release();
        return false;
    }

    /// <summary>Completes when what was queued before has run and is flushed; when the room was removed, with its end.</summary>
    internal async Task DrainAsync(CancellationToken cancellationToken)
    {
        var flushed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        if (await this.PostAsync(static (Room room, TaskCompletionSource done, object? _) => (room._drained ??= []).Add(done), flushed, null, cancellationToken).ConfigureAwait(false))
        {
            await flushed.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        else
        {
            await Ended.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Removes the room, if nobody has yet; completes when it has ended.</summary>
    internal async Task EndAsync(CancellationToken cancellationToken)
    {
        await this.PostAsync(static (Room room, object? _, object? _) => room.Remove(), null, null, cancellationToken).ConfigureAwait(false);
        await Ended.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    internal ValueTask<bool> PostAsync(in RoomItem item, CancellationToken cancellationToken) =>
        TryWrite(in item) ? new ValueTask<bool>(true) : PostWhenRoomAsync(item, cancellationToken);

    /// <summary>A frame that was posted. By default every member gets it, the sender included.</summary>
    /// <param name="from">Who sent it; may have left meanwhile.</param>
    /// <param name="header">The frame's header fields.</param>
    /// <param name="body">Its content; valid during the call.</param>
    protected virtual void OnFrame(Session from, FrameHeader header, ReadOnlySpan<byte> body) => Broadcast(body, header);

    /// <summary>A member whose session ended; it has left already.</summary>
    protected virtual void OnMemberLost(Session member)
    {
    }

    private RoomItem ItemOf(Session from, in Frame frame)
    {
        ArgumentNullException.ThrowIfNull(from);
        Segment body = _services.Pool.RentSegment(Math.Max(1, frame.BodyBytes));
        frame.CopyTo(body.Array);
        body.Written = frame.BodyBytes;
        return new RoomItem(null, null, from, null, body, frame.Header, _services.Time.GetTimestamp());
    }

    private bool TryWrite(in RoomItem item)
    {
        if (_removed || !TryTake(item.Bytes))
        {
            return false;
        }

        if (!_items.Writer.TryWrite(item))
        {
            GiveBack(item.Bytes);
            return false;
        }

        _services.Metrics.Add(Counter.JobsEnqueued);
        Schedule();
        return true;
    }

    private async ValueTask<bool> PostWhenRoomAsync(RoomItem item, CancellationToken cancellationToken)
    {
        bool taken = false;
        bool posted = false;
        try
        {
            while (!_removed && !(taken = TryTake(item.Bytes)))
            {
                await BytesFreedAsync(item.Bytes).WaitAsync(cancellationToken).ConfigureAwait(false);
            }

            if (taken)
            {
                await _items.Writer.WriteAsync(item, cancellationToken).ConfigureAwait(false);
                posted = true;
            }
        }
        catch (ChannelClosedException)
        {
            // The room was removed while this waited.
        }
        finally
        {
            if (!posted)
            {
                if (taken)
                {
                    GiveBack(item.Bytes);
                }

                item.Body?.Release();
                _services.Metrics.Add(Counter.JobsRefused);
            }
        }

        if (posted)
        {
            _services.Metrics.Add(Counter.JobsEnqueued);
            Schedule();
        }

        return posted;
    }

    private long ToTicks(TimeSpan time) => (long)(time.TotalSeconds * _services.Time.TimestampFrequency);
}
