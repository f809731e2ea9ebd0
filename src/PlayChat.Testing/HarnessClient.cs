using System.Buffers;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;

namespace PlayChat.Testing;

/// <summary>A client of a <see cref="RoomHarness{TRoom}"/>, seen from both ends. Thread-safe.</summary>
public sealed class HarnessClient
{
    private readonly object _gate = new();
    private readonly List<ReceivedFrame> _received = []; // guarded by _gate
    private readonly List<(Func<bool> IsAnswered, Task Taking)> _requests = []; // guarded by _gate
    private readonly InMemoryTransport _transport;
    private readonly PacketSet _packets;
    private (InMemoryLink Client, InMemoryLink Server)? _link; // set before anybody gets the client
    private Connection _serverEnd = null!; // the same; a session that resumes has another connection later

    internal HarnessClient(InMemoryTransport transport, PacketSet packets)
    {
        _transport = transport;
        _packets = packets;
    }

    /// <summary>Its end of the link.</summary>
    public Connection Connection { get; private set; } = null!; // the same

    /// <summary>The session that the server made for this client: what rooms let in. It ends when the client resumes another one.</summary>
    public Session Session { get; private set; } = null!; // the same

    /// <summary>Completes with the reason when its end of the link has ended; the server's own reason is that of <see cref="Session"/>'s
    /// connection.</summary>
    public Task<CloseReason> Closed => Connection.Closed;

    /// <summary>The frames that the client has received since it connected, or since <see cref="Forget"/>, in order.</summary>
    public IReadOnlyList<ReceivedFrame> Frames
    {
        get
        {
            lock (_gate)
            {
                return [.. _received];
            }
        }
    }

    /// <summary>The messages of one type among <see cref="Frames"/>.</summary>
    public IReadOnlyList<TMessage> Received<TMessage>() => [.. Frames.Select(static frame => frame.Message).OfType<TMessage>()];

    /// <summary>
    /// Is called with each frame when it has been received, before the next one is: here the client answers what handlers of the server ask
    /// it. Default nothing.
    /// </summary>
    /// <remarks>Set it before anything that concerns it is sent. It must not block; what it throws closes the connection.</remarks>
    public Action<ReceivedFrame>? OnReceived { get; set; }

    /// <summary>Forgets what it has received so far.</summary>
    public void Forget()
    {
        lock (_gate)
        {
            _received.Clear();
        }
    }

    /// <summary>Sends a message as the packet that carries it.</summary>
    /// <param name="message">The message.</param>
    /// <param name="requestId">The id of the request that this message is, or that it answers; 0 (default) for neither.</param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</returns>
    /// <exception cref="InvalidOperationException">No packet of the harness, or more than one, carries <typeparamref
    /// name="TMessage"/>.</exception>
    public bool SendPacket<TMessage>(TMessage message, ushort requestId = 0)
    {
        Sending?.Invoke(message!);
        return Connection.SendPacket(message, requestId, type: _packets.Get<TMessage>());
    }

    /// <summary>Sends a request, and waits for its answer. Where the link has latency, the clock must move meanwhile.</summary>
    /// <param name="request">What is asked; one packet of the harness carries it.</param>
    /// <param name="cancellationToken">Gives up. The server is not told; its answer is dropped.</param>
    /// <returns>The answer; it is not among <see cref="Frames"/>. A deadline on the harness's clock: <see
    /// cref="Connection.RequestAsync"/> of <see cref="Connection"/>.</returns>
    /// <exception cref="TimeoutException">No answer came within 30 seconds of real time: a handler waits, or the clock must
    /// move.</exception>
    /// <exception cref="RequestFailedException">
    /// The server answered with a failure or with something unreadable, or the request was not sent: the client's queue was full.
    /// </exception>
    /// <exception cref="Core.Connections.ConnectionClosedException">The connection has ended.</exception>
    /// <exception cref="TooManyRequestsException">Too many requests of this client wait for answers, see <see
    /// cref="ConnectionOptions.MaxRequests"/>.</exception>
    /// <exception cref="InvalidOperationException">No packet of the harness, or more than one, carries a message of one of the two
    /// types.</exception>
    /// <exception cref="ArgumentException">The request is larger than the format can carry.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public Task<TResponse> RequestAsync<TResponse>(object request, CancellationToken cancellationToken = default)
    {
        ValueTask<TResponse> answer = default;
        Task<TResponse> taking = TakeAsync();
        lock (_gate)
        {
            _requests.RemoveAll(static other => other.Taking.IsCompleted);
            _requests.Add((() => answer.IsCompleted, taking));
        }

        return taking;

        async Task<TResponse> TakeAsync()
        {
            using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            patience.CancelAfter(RoomHarness.Patience);
            try
            {
                answer = Connection.RequestAsync<TResponse>(request, Timeout.InfiniteTimeSpan, patience.Token);
                return await answer.ConfigureAwait(false);
            }
            catch (OperationCanceledException e) when (patience.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
            {
                throw new TimeoutException($"{request.GetType().Name} is not answered after {RoomHarness.Patience.TotalSeconds} seconds: a "
                    + $"handler waits, perhaps for the clock, or the link does.", e);
            }
        }
    }

    /// <summary>Sends a frame.</summary>
    /// <param name="body">Its content.</param>
    /// <param name="header">What the format carries beside it.</param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</returns>
    public bool Send(ReadOnlySpan<byte> body, FrameHeader header = default)
    {
        Sending?.Invoke($"frame {header.PacketId} of {body.Length} bytes");
        return Connection.Send(body, header);
    }

    /// <summary>Loses the link, at once: both ends see <see cref="CloseReason.PeerReset"/>.</summary>
    /// <returns><see langword="false"/> when it had ended already.</returns>
    public bool Break() => _transport.Break(Connection.LocalEndPoint!);

    /// <summary>Is called with each message that the client sends.</summary>
    internal Action<object>? Sending { get; set; }

    /// <summary>Completes when the caller of each request that is answered has its answer: connections complete requests on the thread
    /// pool.</summary>
    internal Task AnswersTakenAsync()
    {
        lock (_gate)
        {
            return Task.WhenAll(_requests.Where(static request => request.IsAnswered()).Select(static request => request.Taking))
                .ContinueWith(static _ => { }, TaskScheduler.Default); // what a request failed with is its caller's
        }
    }

    /// <summary>Whether nothing of it will happen any more. Completes when an end that was let go has said so everywhere: to its server,
    /// and to its rooms.</summary>
    internal async Task<bool> IsOverAsync()
    {
        bool clientOver = _link is not { Client.IsDisposed: false };
        bool serverOver = _link is not { Server.IsDisposed: false };
        if (clientOver)
        {
            await Connection.Closed.ConfigureAwait(false);
        }

        if (serverOver)
        {
            await _serverEnd.Closed.ConfigureAwait(false);
        }

        return clientOver && serverOver;
    }

    internal void OnFrame(in Frame frame)
    {
        byte[] body = frame.ToArray();
        object? message = _packets.Find(frame.Header.PacketId)?.Decode(in frame);
        if (message is ReadOnlySequence<byte>)
        {
            message = new ReadOnlySequence<byte>(body); // a raw message is a view of what was received
        }

        var received = new ReceivedFrame(frame.Header, body, message);
        lock (_gate)
        {
            _received.Add(received);
        }

        OnReceived?.Invoke(received);
    }

    internal void SetEnds(Connection connection, Session session)
    {
        _link = _transport.LinkOf(connection.LocalEndPoint!);
        Connection = connection;
        Session = session;
        _serverEnd = session.Connection;
    }
}
