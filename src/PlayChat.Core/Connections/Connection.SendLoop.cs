using PlayChat.Core.Buffers;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Core.Connections;

// How what is queued goes out.
public sealed partial class Connection
{
    // A send loop whose sends keep completing at once gives its thread back after this many.
    private const int MaxSynchronousSends = 16;

    private OutboundBatch? _underWay; // the send loop's alone
    private Action? _onSent;

    /// <summary>
    /// Sends one piece that never was in the queue; the caller has set <see cref="_sending"/> and counted the bytes. Nearly always the
    /// system takes all of it at once, and no object of the queue is touched.
    /// </summary>
    /// <param name="segment">Held by the caller; kept by a hold of the queue's own if the send is not done at once.</param>
    /// <param name="start">Where in it the frames start.</param>
    /// <param name="bytes">How long they are.</param>
    /// <param name="frames">How many they are.</param>
    /// <returns><see langword="false"/> when the send is under way and reads in the segment.</returns>
    private bool SendDirect(Segment segment, int start, int bytes, int frames)
    {
        bool sent;
        try
        {
            ValueTask<bool> send = _link.SendAsync(new ReadOnlyMemory<byte>(segment.Array, start, bytes));
            if (!send.IsCompleted)
            {
                OutboundBatch batch = OutboundBatch.Rent();
                batch.AddHeld(segment, start, bytes, frames, _services);
                batch.UnderWay = send;
                _underWay = batch;
                send.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(_onSent ??= OnSent);
                return false;
            }

            sent = TakeSent(send);
        }
        catch (Exception e)
        {
            // See TakeSent: it must not reach whoever happened to send.
            ConnectionLog.SendFault(_services.Logger, e, Id);
            sent = false;
        }

        if (sent)
        {
            _services.Metrics.CountSentDirectly(bytes, frames);
        }

        bool more;
        lock (_sendGate)
        {
            _outboundBytes -= bytes;
            more = !sent || _pending is not null || _latest is not null || _waiting is not null || _state != State.Open;
            _sending = more;
        }

        if (_lastSendBytes != bytes)
        {
            _lastSendBytes = Math.Min(bytes, SegmentPool.ReceiveBytes);
        }

        if (!sent)
        {
            AbortUnsent();
        }

        if (more)
        {
            SendPending();
        }

        return true;
    }

    /// <summary>The send loop. It runs where the first frame was flushed, goes on where a send completes, and ends when nothing waits.</summary>
    private void SendPending()
    {
        for (int round = 0; round < MaxSynchronousSends; round++)
        {
            OutboundBatch? batch = NextBatch();
            if (batch is null)
            {
                return;
            }

            _underWay = batch;
            List<ArraySegment<byte>> pieces = batch.Seal();
            bool sent;
            try
            {
                ValueTask<bool> send = pieces.Count == 1 ? _link.SendAsync(pieces[0].AsMemory()) : _link.SendAsync(pieces);
                if (!send.IsCompleted)
                {
                    batch.UnderWay = send;
                    send.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(_onSent ??= OnSent);
                    return;
                }

                sent = TakeSent(send);
            }
            catch (Exception e)
            {
                // See TakeSent: it must not reach whoever happened to send.
                ConnectionLog.SendFault(_services.Logger, e, Id);
                sent = false;
            }

            OnSent(sent);
        }

        ThreadPool.UnsafeQueueUserWorkItem(static connection => connection.SendPending(), this, preferLocal: false);
    }

    private void OnSent()
    {
        OnSent(TakeSent(_underWay!.UnderWay));
        SendPending();
    }

    private bool TakeSent(ValueTask<bool> send)
    {
        try
        {
#pragma warning disable VSTHRD002 // it has completed
            return send.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
        }
        catch (Exception e)
        {
            // A transport of somebody else's that throws: its fault ends this connection.
            ConnectionLog.SendFault(_services.Logger, e, Id);
            return false;
        }
    }

    private void OnSent(bool sent)
    {
        OutboundBatch batch = _underWay!;
        _underWay = null;
        int bytes = batch.Bytes;
        if (sent)
        {
            _services.Metrics.CountSent(bytes, batch.Frames);
        }

        _lastSendBytes = Math.Min(bytes, SegmentPool.ReceiveBytes);
        batch.Release(_services);
        lock (_sendGate)
        {
            _outboundBytes -= bytes;
        }

        if (!sent)
        {
            AbortUnsent();
        }
    }

    private void AbortUnsent()
    {
        CloseReason reason = _link.EndReason;
        Abort(reason == CloseReason.None ? CloseReason.TransportFault : reason);
    }

    /// <summary>Takes what waits; without anything the send loop is over.</summary>
    private OutboundBatch? NextBatch()
    {
        OutboundBatch? batch;
        OutboundBatch? dropped = null;
        TaskCompletionSource? waiting;
        lock (_sendGate)
        {
            if (_state == State.Ended)
            {
                dropped = TakePending();
            }
            else if (_latest is not null && !_corked)
            {
                QueueLatest();
            }

            batch = _corked || _pending is not { Bytes: > 0 } ? null : _pending;
            if (batch is null)
            {
                _sending = false;
            }
            else
            {
                _pending = null;
            }

            waiting = TakeWaiting();
        }

        dropped?.Release(_services);
        waiting?.SetResult();
        if (batch is null && _state == State.Closing)
        {
            ShutdownWhenSent();
        }

        return batch;
    }
}
