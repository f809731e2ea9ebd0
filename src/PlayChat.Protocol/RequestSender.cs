using System.Diagnostics.CodeAnalysis;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Protocol;

/// <summary>Sends requests and awaits their answers: each waits its turn and its time, and leaves nothing behind however it ends.</summary>
/// <remarks>
/// Thread-safe. At most <see cref="ChatClientOptions.MaxRequestsInFlight"/> requests are pending at once; the others wait for their turn.
/// </remarks>
[SuppressMessage("Design", "CA1001", Justification = "The semaphore is never waited on synchronously, so it has no handle to dispose.")]
internal sealed class RequestSender(PendingRequests pending, ChatClientOptions options)
{
    private readonly SemaphoreSlim _turns = new(options.MaxRequestsInFlight);
    private int _maxBodyBytes = MaxBodyBytes(ChatLimits.DefaultMaxClientFrameBytes);
    private volatile bool _roomsLast;

    /// <summary>Takes over what the server says of itself, when it logs the client in or resumes its session.</summary>
    public void UseServer(ServerInfo? server)
    {
        _roomsLast = server?.RoomsLast ?? _roomsLast;
        if (server is { MaxFrameBytes: >= 4 and <= ChatLimits.MaxServerFrameBytes })
        {
            Volatile.Write(ref _maxBodyBytes, MaxBodyBytes((int)server.MaxFrameBytes));
        }
    }

    public Task<TAnswer> RequestAsync<TRequest, TAnswer>(PacketType<TRequest> packet, TRequest request, CancellationToken cancellationToken)
        where TAnswer : class =>
        RequestAsync<TRequest, TAnswer>(packet, request, options.RequestTimeout, cancellationToken);

    /// <exception cref="TimeoutException">The turn or the answer did not come within <paramref name="timeout"/>.</exception>
    public async Task<TAnswer> RequestAsync<TRequest, TAnswer>(
        PacketType<TRequest> packet, TRequest request, TimeSpan timeout, CancellationToken cancellationToken)
        where TAnswer : class
    {
        RequireFits(packet, request);
        using var patience = new CancellationTokenSource(timeout, options.TimeProvider);
        using CancellationTokenRegistration cancelled = cancellationToken.UnsafeRegister(
            static source => ((CancellationTokenSource)source!).Cancel(), patience);
        try
        {
            await _turns.WaitAsync(patience.Token).ConfigureAwait(false);
            try
            {
                return await ExchangeAsync<TRequest, TAnswer>(packet, request, patience.Token).ConfigureAwait(false);
            }
            finally
            {
                _turns.Release();
            }
        }
        catch (OperationCanceledException e) when (patience.IsCancellationRequested)
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw NoAnswer(timeout, e);
        }
    }

    /// <summary>
    /// Asks on a connection of the caller's choice, without waiting for a turn. The request is not sent again on another connection.
    /// </summary>
    /// <param name="connection">Where it goes.</param>
    /// <param name="packet">How it goes.</param>
    /// <param name="request">The request.</param>
    /// <param name="timeout">How long the answer may take.</param>
    /// <param name="apply">Carries the answer out on the receive loop, exactly when this method returns the answer.</param>
    /// <param name="cancellationToken">Stops waiting. The caller cancels it when the connection ends.</param>
    /// <exception cref="TimeoutException">The answer did not come in time.</exception>
    public async Task<TAnswer> AskAsync<TRequest, TAnswer>(
        Connection connection,
        PacketType<TRequest> packet,
        TRequest request,
        TimeSpan timeout,
        Action<TAnswer>? apply,
        CancellationToken cancellationToken)
        where TAnswer : class
    {
        RequireFits(packet, request);
        var waiting = new PendingRequest<TRequest, TAnswer>(packet, request, apply);
        using var patience = new CancellationTokenSource(timeout, options.TimeProvider);
        using CancellationTokenRegistration cancelled = cancellationToken.UnsafeRegister(
            static source => ((CancellationTokenSource)source!).Cancel(), patience);
        ushort id = pending.AddSent(waiting);
        try
        {
            _ = waiting.Send(connection, id); // when it does not go out, the connection has ended
            return await waiting.Answer.WaitAsync(patience.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException e)
        {
            if (!waiting.TryGiveUp())
            {
                return await waiting.Answer.ConfigureAwait(false); // it came in this very moment
            }

            cancellationToken.ThrowIfCancellationRequested();
            throw NoAnswer(timeout, e);
        }
        finally
        {
            pending.Remove(id);
        }
    }

    /// <exception cref="ArgumentException">The request is larger than the server takes.</exception>
    public void RequireFits<TRequest>(PacketType<TRequest> packet, TRequest request)
    {
        int bytes = packet.GetBodyBytes(request);
        int maxBytes = Volatile.Read(ref _maxBodyBytes);
        if (bytes > maxBytes)
        {
            // Sent, it would end the connection.
#pragma warning disable MA0015 // The name of the parameter would stand in a sentence that programs show to their users.
            throw new ArgumentException($"The request has {bytes} bytes, and the server takes at most {maxBytes}. Shorten it.");
#pragma warning restore MA0015
        }
    }

    // Programs show these sentences to their users, who know no packets; the stack trace names the request.
    private static TimeoutException NoAnswer(TimeSpan timeout, Exception inner) =>
        new($"The server did not answer within {timeout.TotalSeconds:0.###} seconds.", inner);

    private static int MaxBodyBytes(int maxFrameBytes) => FrameFormat.Packet(maxFrameBytes).MaxBodyBytes;

    private bool IsRepeatable<TRequest>(TRequest request) => request switch
    {
        CDirectChatReq { ClientMessageId: 0 } => false, // it would be heard twice
        CChangePasswordReq => false, // the old password would be refused, although it was changed
        CCreateRoomReq => !_roomsLast, // elsewhere a resume takes the player out of it, and then it ends
        _ => true,
    };

    private async Task<TAnswer> ExchangeAsync<TRequest, TAnswer>(
        PacketType<TRequest> packet, TRequest request, CancellationToken cancellationToken)
        where TAnswer : class
    {
        var waiting = new PendingRequest<TRequest, TAnswer>(packet, request) { IsRepeatable = IsRepeatable(request) };
        ushort id = pending.Add(waiting, out Connection? connection);
        try
        {
            // When the connection is ending, its end decides what becomes of the pending requests; without one, the request goes out on the
            // next.
            if (connection is not null && !waiting.Send(connection, id) && connection.IsOpen)
            {
                throw new ChatErrorException(
                    ErrorCode.ServerBusy,
                    "The server does not take what is sent to it as fast as it comes: try again in a moment, more slowly.");
            }

            return await waiting.Answer.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            pending.Remove(id);
        }
    }
}
