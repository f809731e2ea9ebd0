namespace PlayChat.Core.Connections;

/// <summary>Sends the queued frames, one send at a time. Each send gathers everything that waits.</summary>
/// <remarks>
/// <para>A mutable struct, embedded in its owner beside its <see cref="OutboundQueue"/>: never copied.</para>
/// <para>
/// Invariant: its methods run only for the caller that the queue has made the send loop (<see cref="NextSend"/>), so <c>_underWay</c> needs
/// no lock. The loop runs where the first frame was flushed, continues where a send completes, and ends when the queue has nothing more.
/// </para>
/// </remarks>
/// <param name="link">Where the bytes go.</param>
/// <param name="services">Counters.</param>
/// <param name="owner">The object in which this is embedded.</param>
internal struct SendLoop(Transport.TransportConnection link, ConnectionServices services, ISendOwner owner)
{
    // A loop whose sends keep completing at once gives its thread back after this many.
    private const int MaxSynchronousSends = 16;

    /// <summary>What <see cref="WaitsSince"/> is while no send waits: later than every time.</summary>
    internal const long NotWaiting = long.MaxValue;

    private readonly Transport.TransportConnection _link = link;
    private readonly ConnectionServices _services = services;
    private readonly ISendOwner _owner = owner;
    private OutboundBatch? _underWay;
    private Action? _onCompleted;
    private long _waitsSince = NotWaiting;
    private long _framesSent;
    private long _bytesSent;
    private bool _hasFailed;

    /// <summary>The frames that the link has taken. Any thread may ask.</summary>
    internal long FramesSent => Volatile.Read(ref _framesSent);

    /// <summary>The bytes that the link has taken. Any thread may ask.</summary>
    internal long BytesSent => Volatile.Read(ref _bytesSent);

    /// <summary>
    /// Since when the send under way waits for the peer to read, in ticks of the server's clock;
    /// <see cref="NotWaiting"/> while none does. Any thread may ask.
    /// </summary>
    internal long WaitsSince => Volatile.Read(ref _waitsSince);

    /// <summary>Whether the link has not taken frames that it was given. Any thread may ask.</summary>
    internal bool HasFailed => Volatile.Read(ref _hasFailed);

    /// <summary>
    /// Sends frames that never were in the queue, which has counted their bytes. Nearly always the system takes all of them at once, and no
    /// object of the queue is touched. The caller holds the segment; the loop adds its own hold if the send does not complete at once.
    /// </summary>
    /// <returns><see langword="false"/> when the send is under way and reads in the segment.</returns>
    internal bool SendDirect(ref OutboundQueue queue, Segment segment, int start, int bytes, int frames)
    {
        bool sent;
        try
        {
            ValueTask<bool> send = _link.SendAsync(new ReadOnlyMemory<byte>(segment.Array, start, bytes));
            if (!send.IsCompleted)
            {
                OutboundBatch batch = OutboundBatch.Rent();
                batch.AddHeld(segment, start, bytes, frames, _services);
                _underWay = batch;
                Await(batch, send);
                return false;
            }

            sent = TakeResult(send);
        }
        catch (Exception e)
        {
            // A transport of the application's own: its exception ends this connection, and must not reach the code that happened to send.
            _owner.OnSendFault(e);
            sent = false;
        }

        if (sent)
        {
            _services.Metrics.CountSentDirectly(bytes, frames);
        }

        Note(bytes, frames, sent); // before the queue counts the bytes as sent
        bool more = queue.OnSentDirectly(bytes, sent);
        if (!sent)
        {
            Fail();
        }

        if (more)
        {
            Run(ref queue);
        }

        return true;
    }

    /// <summary>Sends batch after batch until nothing waits or a send does not complete at once.</summary>
    internal void Run(ref OutboundQueue queue)
    {
        for (int round = 0; round < MaxSynchronousSends; round++)
        {
            OutboundBatch? batch = TakeNext(ref queue);
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
                    Await(batch, send);
                    return;
                }

                sent = TakeResult(send);
            }
            catch (Exception e)
            {
                _owner.OnSendFault(e); // as in SendDirect
                sent = false;
            }

            OnSent(ref queue, sent);
        }

        _owner.SendLater();
    }

    /// <summary>Continues after a send that did not complete at once.</summary>
    internal void OnCompleted(ref OutboundQueue queue)
    {
        Volatile.Write(ref _waitsSince, NotWaiting);
        OnSent(ref queue, TakeResult(_underWay!.UnderWay));
        Run(ref queue);
    }

    /// <summary>Tells the peer that nothing more comes, once a closing connection has sent everything.</summary>
    internal readonly void ShutdownWhenSent(ref OutboundQueue queue)
    {
        if (queue.TryShutdown())
        {
            Shutdown(ref queue);
        }
    }

    private readonly void Shutdown(ref OutboundQueue queue)
    {
        try
        {
            _link.Shutdown(_owner.CloseReason);
        }
        finally
        {
            queue.EndShutdown()?.SetResult();
        }
    }

    private void Await(OutboundBatch batch, ValueTask<bool> send)
    {
        batch.UnderWay = send;
        Volatile.Write(ref _waitsSince, _services.Time.GetTimestamp());
        send.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(_onCompleted ??= _owner.OnSendCompleted); // last: it may run at once
    }

    private readonly bool TakeResult(ValueTask<bool> send)
    {
        try
        {
#pragma warning disable VSTHRD002 // it has completed
            return send.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
        }
        catch (Exception e)
        {
            _owner.OnSendFault(e); // as in SendDirect
            return false;
        }
    }

    private void OnSent(ref OutboundQueue queue, bool sent)
    {
        OutboundBatch batch = _underWay!;
        _underWay = null;
        int bytes = batch.Bytes;
        if (sent)
        {
            _services.Metrics.CountSent(bytes, batch.Frames);
        }

        Note(bytes, batch.Frames, sent); // before the queue counts the bytes as sent
        batch.Release(_services);
        queue.OnSent(bytes);
        if (!sent)
        {
            Fail();
        }
    }

    private void Note(int bytes, int frames, bool sent)
    {
        if (sent)
        {
            Volatile.Write(ref _bytesSent, _bytesSent + bytes);
            Volatile.Write(ref _framesSent, _framesSent + frames);
        }
        else
        {
            Volatile.Write(ref _hasFailed, true);
        }
    }

    private readonly void Fail()
    {
        CloseReason reason = _link.EndReason;
        _owner.OnSendFailed(reason == CloseReason.None ? CloseReason.TransportFault : reason);
    }

    private readonly OutboundBatch? TakeNext(ref OutboundQueue queue)
    {
        OutboundBatch? batch = queue.TakeNext(out OutboundBatch? dropped, out TaskCompletionSource? waiting, out bool shutsDown);
        dropped?.Release(_services);
        waiting?.SetResult();
        if (shutsDown)
        {
            Shutdown(ref queue);
        }

        return batch;
    }
}
