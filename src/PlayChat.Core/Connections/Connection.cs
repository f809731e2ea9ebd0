using System.Diagnostics.CodeAnalysis;
using System.Net;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Connections;

/// <summary>One live link to one peer: its receive loop, its outbound queue and the reason of its end.</summary>
/// <remarks>
/// Thread-safe. Frames are handled one at a time in the order of their arrival. Nothing here throws because of what the peer does.
/// </remarks>
[SuppressMessage("Design", "CA1001", Justification = "The cancellation source has no timer and no wait handle: there is nothing to dispose.")]
public sealed partial class Connection
{
    private static long s_lastId;

    private readonly ConnectionServices _services;
    private readonly TransportConnection _link;
    private readonly int _headerBytes;
    private readonly int _trailerBytes;
    private int _closeReason;
    private volatile State _state;
    private long _closeDeadline;
    private TaskCompletionSource<CloseReason>? _closed;
    private CancellationTokenSource? _aborted;
    private bool _ended; // guarded by _sendGate; true once Closed may complete

    internal Connection(TransportConnection link, ConnectionServices services)
    {
        _link = link;
        _services = services;
        _headerBytes = services.Format.HeaderBytes;
        _trailerBytes = services.Format.TrailerBytes;
        _silentTicks = ToTicks(services.Options.SilentAfter);
        OpenedTimestamp = services.Time.GetTimestamp();
        _lastReceive = OpenedTimestamp;
    }

    private enum State
    {
        Open,
        Closing, // takes no more to send and handles no more frames; delivers what is queued
        Ended,
    }

    /// <summary>Unique within the process, rising from 1.</summary>
    public long Id { get; } = Interlocked.Increment(ref s_lastId);

    /// <summary>The peer's address, if the transport has one.</summary>
    public EndPoint? RemoteEndPoint => _link.RemoteEndPoint;

    /// <summary>Our own address, if the transport has one.</summary>
    public EndPoint? LocalEndPoint => _link.LocalEndPoint;

    /// <summary>The wire format of its frames.</summary>
    public FrameFormat Format => _services.Format;

    /// <summary>The application's own; PlayChat does not look at it.</summary>
    public object? Tag { get; set; }

    /// <summary>Whether frames can still be sent. It may change at any moment: <see cref="Send(ReadOnlySpan{byte}, FrameHeader)"/> tells as well.</summary>
    public bool IsOpen => _state == State.Open;

    /// <summary>Why it ended or is ending; <see cref="CloseReason.None"/> while it is open.</summary>
    public CloseReason CloseReason => (CloseReason)Volatile.Read(ref _closeReason);

    /// <summary>Completes when the link has ended and its last handler has returned. Never faults.</summary>
    public Task<CloseReason> Closed
    {
        get
        {
            lock (_sendGate)
            {
                if (_closed is null)
                {
                    _closed = new TaskCompletionSource<CloseReason>(TaskCreationOptions.RunContinuationsAsynchronously);
                    if (_ended)
                    {
                        _closed.SetResult(CloseReason);
                    }
                }

                return _closed.Task;
            }
        }
    }

    /// <summary>Cancelled when the link ends or is aborted. Asynchronous handlers get it.</summary>
    /// <remarks>
    /// <para>While a handler waits nothing is received, so that the peer has gone is noticed only when something is sent to it (on a server <c>OnHeartbeat</c> does, if it is set), or when the handler is
    /// done. A handler that may wait for long needs a time of its own.</para>
    /// <para>What is registered with the token, and what goes on because of it, runs on the thread pool, not where the connection was aborted.</para>
    /// </remarks>
    public CancellationToken Aborted
    {
        get
        {
            if (Volatile.Read(ref _aborted) is { } made)
            {
                return made.Token;
            }

            lock (_sendGate)
            {
                if (_aborted is null)
                {
                    var source = new CancellationTokenSource();
                    if (_state == State.Ended)
                    {
                        source.Cancel();
                    }

                    Volatile.Write(ref _aborted, source);
                }

                return _aborted.Token;
            }
        }
    }

    /// <summary>What messages are sent as.</summary>
    internal PacketSet Packets => _services.Packets;

    /// <summary>The clock of all deadlines.</summary>
    internal TimeProvider Time => _services.Time;

    /// <summary>What messages pass on their way out, if anything.</summary>
    internal PacketOutlet? Outlet => _services.Outlet;

    /// <summary>What the dispatch keeps for it. The receive loop's alone.</summary>
    internal object? DispatchState { get; set; }

    /// <summary>When it was opened, in ticks of the server's <see cref="TimeProvider"/>.</summary>
    internal long OpenedTimestamp { get; }

    /// <summary>What the layer above attached: a server's session.</summary>
    internal object? Owner { get; set; }

    /// <summary>It is over a limit and was never counted as accepted, so its end is not counted either.</summary>
    internal bool WasRefused { get; set; }

    /// <summary>
    /// Ends the connection in order: what is queued is delivered, then the peer is told (FIN) and its own end is awaited, all within
    /// <see cref="ConnectionOptions.CloseTimeout"/>. Frames that arrive meanwhile are dropped. Only the first reason counts.
    /// </summary>
    /// <param name="reason">Counted, logged and handed to <see cref="Closed"/>.</param>
    public void Close(CloseReason reason = CloseReason.LocalClose)
    {
        lock (_sendGate)
        {
            if (_state != State.Open)
            {
                return;
            }

            SetReason(reason);
            _closeDeadline = _services.Time.GetTimestamp() + ToTicks(_services.Options.CloseTimeout);
            _state = State.Closing;
        }

        CloseRequests();
        ShutdownWhenSent();
    }

    /// <summary>Closes of PlayChat's own accord: the application may tell the peer why before.</summary>
    internal void TellAndClose(CloseReason reason)
    {
        if (_state == State.Open)
        {
            try
            {
                _services.Handler.OnClosing(this, reason);
            }
            catch (Exception e)
            {
                // The application's code; the connection is closed all the same.
                _services.Metrics.Add(Counter.HandlerFaults);
                ConnectionLog.ClosingHandlerFault(_services.Logger, e, Id);
            }
        }

        Close(reason);
    }

    /// <summary>Ends the connection now and drops what is queued. A TCP peer sees a reset. May be repeated.</summary>
    /// <param name="reason">Counted, logged and handed to <see cref="Closed"/>, unless the connection was ending already.</param>
    public void Abort(CloseReason reason = CloseReason.LocalClose)
    {
        CancellationTokenSource? aborted;
        lock (_sendGate)
        {
            if (_state == State.Ended)
            {
                return;
            }

            SetReason(reason);
            _state = State.Ended;
            aborted = _aborted;
        }

        _link.Abort();
        CloseRequests();
        DropPending();
        _ = CancelAsync(aborted);
    }

    /// <summary>Whether it is one of those that have these in common.</summary>
    internal bool Uses(ConnectionServices services) => ReferenceEquals(_services, services);

    /// <summary>Called by the server's sweep: a close that takes too long becomes an abort.</summary>
    internal void CheckCloseDeadline(long now)
    {
        if (_state == State.Closing && now >= Volatile.Read(ref _closeDeadline))
        {
            Abort();
        }
    }

    private long ToTicks(TimeSpan time) => (long)(time.TotalSeconds * _services.Time.TimestampFrequency);

    /// <summary>
    /// Cancels the token at once, and has the thread pool run what waits for that: it is the application's and may block, and whoever aborts may
    /// be a flush, the sweep or an event loop, for which others wait.
    /// </summary>
    private async Task CancelAsync(CancellationTokenSource? aborted)
    {
        if (aborted is null)
        {
            return; // nobody has asked for it
        }

        try
        {
            await aborted.CancelAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // Callbacks of the application's: their faults are nobody else's.
            ConnectionLog.AbortedHandlerFault(_services.Logger, e, Id);
        }
    }

    private void SetReason(CloseReason reason) =>
        Interlocked.CompareExchange(ref _closeReason, (int)reason, (int)CloseReason.None);

    /// <summary>The last step, once both directions are at rest.</summary>
    private void End()
    {
        _link.Dispose();
        CloseReason reason = CloseReason;
        if (!WasRefused)
        {
            _services.Metrics.CountClose(reason);
        }

        try
        {
            _services.Handler.OnClosed(this, reason);
        }
        catch (Exception e)
        {
            // The application's code: its fault must not cost anybody else anything.
            ConnectionLog.ClosedHandlerFault(_services.Logger, e, Id);
        }

        if (_services.Logger.IsEnabled(LogLevel.Debug))
        {
            ConnectionLog.Closed(_services.Logger, Id, RemoteEndPoint, reason); // the address is made for who asks
        }

        TaskCompletionSource<CloseReason>? closed;
        lock (_sendGate)
        {
            _ended = true;
            closed = _closed;
        }

        closed?.SetResult(reason);
    }
}
