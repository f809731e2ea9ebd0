using System.Buffers;
using System.Runtime.CompilerServices;
using PlayChat.Core.Buffers;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Connections;

// Frames that a peer which reads too slowly may lose.
public sealed partial class Connection
{
    // What waits beside the queue. Guarded by _sendGate; there is such a table only while a send is under way or the batch is corked,
    // and whatever ends that takes it along, so nobody else has to look.
    private LatestFrames? _latest;

    /// <summary>Whether a frame that may be dropped is: much waits for the peer.</summary>
    private bool IsBehind => _sending && _outboundBytes + _corkedBytes > _services.Options.MaxOutboundBytes / 16;

    /// <summary>Sends one frame of a class that the peer may lose; the body is copied. Never waits.</summary>
    /// <param name="body">The frame's content.</param>
    /// <param name="header">What the format writes beside it; fields that it does not have are left out.</param>
    /// <param name="delivery">What may become of it while something waits for the peer.</param>
    /// <returns>
    /// As for <see cref="Send(ReadOnlySpan{byte}, FrameHeader)"/>; <see langword="false"/> as well when the frame was dropped because the peer is behind. A frame that
    /// waits and is replaced later was sent as far as this tells.
    /// </returns>
    /// <exception cref="ArgumentException">The body is larger than this connection's format can carry, or contains its delimiter.</exception>
    public bool Send(ReadOnlySpan<byte> body, FrameHeader header, Delivery delivery)
    {
        if (delivery.IsReliable)
        {
            return Send(body, header);
        }

        if (!delivery.IsLatestOnly)
        {
            return (!IsBehind && TrySend(body, header)) || Skip();
        }

        if (EndsWithBatch)
        {
            return Send(body, header);
        }

        RequireCarries(body);
        Segment frame = RentFrame(header, body.Length, out Span<byte> destination);
        body.CopyTo(destination);
        return SendLatest(frame, delivery, flush: true);
    }

    /// <summary>Sends one frame of a class that the peer may lose, written in place. Never waits.</summary>
    /// <param name="header">What the format writes beside the body.</param>
    /// <param name="bodyBytes">Exactly how long the body is.</param>
    /// <param name="state">Handed to <paramref name="write"/>, so that it can be static.</param>
    /// <param name="write">Fills the whole span; short, and without calls back into PlayChat. Not called for a frame that is dropped at once.</param>
    /// <param name="delivery">What may become of it while something waits for the peer.</param>
    /// <returns>See <see cref="Send(ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</returns>
    /// <exception cref="ArgumentException">The body is larger than this connection's format can carry.</exception>
    public bool Send<TState>(FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery)
    {
        ArgumentNullException.ThrowIfNull(write);
        return Enqueue(header, bodyBytes, state, write, delivery, flush: true);
    }

    /// <summary>Queues a frame of any class.</summary>
    internal bool Enqueue<TState>(
        FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery, bool flush = false)
    {
        if (delivery.IsReliable)
        {
            return Enqueue(header, bodyBytes, state, write, flush);
        }

        if (!delivery.IsLatestOnly)
        {
            return (!IsBehind && TryEnqueue(header, bodyBytes, state, write, flush)) || Skip();
        }

        if (EndsWithBatch)
        {
            return Enqueue(header, bodyBytes, state, write, flush);
        }

        Segment frame = RentFrame(header, bodyBytes, out Span<byte> destination);
        try
        {
            write(destination, state);
            RequireCarries(destination);
        }
        catch
        {
            frame.Release();
            throw;
        }

        return SendLatest(frame, delivery, flush);
    }

    /// <summary>Queues frames that other connections send as well, some of which this peer may lose.</summary>
    /// <param name="frames">In order.</param>
    /// <param name="loose">Which of them may be lost, in order.</param>
    /// <param name="flush">Send now, unless a send is under way, which then takes them along.</param>
    /// <returns>How many frames were taken.</returns>
    internal int SendShared(in SharedFrames frames, ReadOnlySpan<LooseFrame> loose, bool flush)
    {
        bool direct = false;
        bool start = false;
        Losses losses = default;
        lock (_sendGate)
        {
            if (!loose.IsEmpty && (_sending || _corked || !Fits(frames.Bytes)))
            {
                QueueBehind(in frames, loose, ref losses);
                if (!_sending && !_corked)
                {
                    if (_latest is not null)
                    {
                        QueueLatest();
                    }

                    start = flush && TryBeginSending();
                }
            }
            else if (!QueueShared(frames.Segment, frames.Start, frames.Bytes, frames.Frames, flush, out direct, out start))
            {
                losses.Refused = frames.Frames; // with nothing under way, all of them are like any other
            }
        }

        if (direct)
        {
            SendDirect(frames.Segment, frames.Start, frames.Bytes, frames.Frames);
        }
        else if (start)
        {
            SendPending();
        }

        return frames.Frames - Count(in losses);
    }

    /// <summary>Queues what may be kept behind what is under way. Under the gate.</summary>
    private void QueueBehind(in SharedFrames frames, ReadOnlySpan<LooseFrame> loose, ref Losses losses)
    {
        int at = frames.Start;
        int ordinal = frames.Ordinal;
        foreach (ref readonly LooseFrame frame in loose)
        {
            losses.Refused += QueueRun(frames.Segment, at, frame.Start - at, frame.Ordinal - ordinal);
            at = frame.Start + frame.Bytes;
            ordinal = frame.Ordinal + 1;
            if (frame.Delivery.IsLatestOnly)
            {
                KeepLatest(frames.Segment, in frame, ref losses);
            }
            else if (IsBehind || QueueRun(frames.Segment, frame.Start, frame.Bytes, 1) > 0)
            {
                losses.Skipped++;
            }
        }

        losses.Refused += QueueRun(frames.Segment, at, frames.Start + frames.Bytes - at, frames.Ordinal + frames.Frames - ordinal);
    }

    /// <returns>How many frames do not fit.</returns>
    private int QueueRun(Segment segment, int start, int bytes, int frames)
    {
        if (bytes == 0)
        {
            return 0;
        }

        if (!Fits(bytes))
        {
            return frames;
        }

        (_pending ??= OutboundBatch.Rent()).AddSome(segment, start, bytes, frames, _services);
        _outboundBytes += bytes;
        return 0;
    }

    private void KeepLatest(Segment segment, in LooseFrame frame, ref Losses losses)
    {
        LatestFrames? latest = _latest;
        int older = latest?.BytesOf(frame.Delivery.Key) ?? 0;
        if (_state != State.Open || !HasRoom(_outboundBytes + _corkedBytes - older, frame.Bytes))
        {
            losses.Refused++;
            return;
        }

        latest ??= _latest = LatestFrames.Rent();
        if (latest.Set(frame.Delivery.Key, segment, frame.Start, frame.Bytes, _services))
        {
            losses.Replaced++;
        }

        _outboundBytes += frame.Bytes - older;
    }

    /// <summary>Puts what waits beside the queue behind it. Under the gate.</summary>
    private void QueueLatest()
    {
        LatestFrames latest = _latest!;
        _latest = null;
        latest.MoveTo(_pending ??= OutboundBatch.Rent(), _services);
    }

    /// <summary>In a batch of one's own with nothing under way, a frame is one of the batch's answers; but not before older ones, which wait until the batch ends.</summary>
    private bool EndsWithBatch => InOwnBatch && !Volatile.Read(ref _sending) && Volatile.Read(ref _latest) is null;

    private Segment RentFrame(FrameHeader header, int bodyBytes, out Span<byte> body)
    {
        FrameFormat format = _services.Format;
        RequireCarries(bodyBytes);
        int bytes = _headerBytes + bodyBytes + _trailerBytes;
        Segment segment = _services.Pool.RentSegment(bytes);
        try
        {
            Span<byte> frame = segment.Array.AsSpan(0, bytes);
            format.WriteHeader(frame, header, bodyBytes);
            format.WriteTrailer(frame[(_headerBytes + bodyBytes)..]);
            body = frame.Slice(_headerBytes, bodyBytes);
        }
        catch
        {
            segment.Release(); // a codec of the application's
            throw;
        }

        segment.Written = bytes;
        return segment;
    }

    private bool SendLatest(Segment segment, Delivery delivery, bool flush)
    {
        var frame = new LooseFrame(0, segment.Written, 0, delivery);
        try
        {
            return SendShared(new SharedFrames(segment, 0, segment.Written, 0, 1), new ReadOnlySpan<LooseFrame>(in frame), flush) > 0;
        }
        finally
        {
            segment.Release();
        }
    }

    private bool Skip()
    {
        if (_state == State.Open)
        {
            _services.Metrics.Add(Counter.FramesSkipped);
        }

        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Count(in Losses losses) => losses.IsNone ? 0 : CountSome(losses);

    /// <returns>How many were not taken.</returns>
    private int CountSome(Losses losses)
    {
        if (losses.Replaced > 0)
        {
            _services.Metrics.Add(Counter.FramesReplaced, losses.Replaced);
        }

        if (losses.Skipped > 0 && _state == State.Open)
        {
            _services.Metrics.Add(Counter.FramesSkipped, losses.Skipped);
        }

        if (losses.Refused > 0)
        {
            OnFull(losses.Refused);
        }

        return losses.Skipped + losses.Refused;
    }

    /// <summary>What became of frames that could not simply be queued.</summary>
    private record struct Losses(int Replaced, int Skipped, int Refused)
    {
        internal readonly bool IsNone => (Replaced | Skipped | Refused) == 0;
    }
}
