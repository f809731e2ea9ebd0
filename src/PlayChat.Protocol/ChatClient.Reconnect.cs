using Google.Protobuf;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Transport;

namespace PlayChat.Protocol;

// After a broken connection: makes another, resumes there, and sends again what was not answered.
public sealed partial class ChatClient
{
    private readonly object _linkGate = new();
    private readonly Func<ChatLink, CancellationToken, Task<Connection>> _connectAsync;
    private readonly CancellationTokenSource _disposing = new();
    private volatile ChatLink _link; // written under _linkGate: the one whose packets count
    private bool _isReady = true; // guarded by _linkGate; false from a break until the resume
    private ByteString _resumeToken = ByteString.Empty; // the receive loop's, then the attempts'
    private ITimer? _keepAlive;
    private volatile bool _heard;
    private ushort _probeId;

    /// <summary>
    /// The connection has broken, and the client is about to make another; raised before each attempt. Requests wait meanwhile. Either
    /// <see cref="Reconnected"/> or <see cref="Disconnected"/> follows in the end.
    /// </summary>
    public event EventHandler<ReconnectingEventArgs>? Reconnecting;

    /// <summary>The client goes on where its connection broke: what was missed follows as events of its own, or is told to be missing here.</summary>
    public event EventHandler<ReconnectedEventArgs>? Reconnected;

    /// <summary>Makes the first connection.</summary>
    internal async Task OpenAsync(CancellationToken cancellationToken)
    {
        _link.Connection = await _connectAsync(_link, cancellationToken).ConfigureAwait(false);
        _pending.Release(_link.Connection);
    }

    /// <summary>A connection that has broken can be made again; one that somebody ended cannot, or not as the same session.</summary>
    private static bool IsBreak(CloseReason reason) => reason is CloseReason.PeerClosed or CloseReason.PeerReset or CloseReason.SlowConsumer
        or CloseReason.IdleTimeout or CloseReason.HandlerFault or CloseReason.TransportFault or CloseReason.TlsFailed;

    /// <summary>What keeps one attempt from working, but perhaps not the next.</summary>
    private static bool MayPass(Exception exception) => exception switch
    {
        ConnectFailedException or TimeoutException => true,
        ChatConnectionClosedException closed => IsBreak(closed.Reason) || closed.Reason is CloseReason.ServerFull or CloseReason.AddressFull or CloseReason.LoginTimeout,
        ChatErrorException refused => refused.Code is ErrorCode.ServerBusy or ErrorCode.StorageUnavailable or ErrorCode.Internal,
        _ => false,
    };

    private void OnBroken(CloseReason reason, string? words)
    {
        _pending.Hold();
        _ = ReconnectAsync(reason, words);
    }

    private async Task ReconnectAsync(CloseReason reason, string? words)
    {
        long start = _time.GetTimestamp();
        for (int attempt = 1; ; attempt++)
        {
            TimeSpan delay = DelayBefore(attempt);
            Raise(Reconnecting, new ReconnectingEventArgs(reason, words, attempt, delay), nameof(Reconnecting));
            try
            {
                await Task.Delay(delay, _time, _disposing.Token).ConfigureAwait(false);
                await ResumeAsync().ConfigureAwait(false);
                return;
            }
            catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException)
            {
                End(CloseReason.LocalClose, words: null); // this side has closed meanwhile
                return;
            }
            catch (Exception e) when (MayPass(e) && _time.GetElapsedTime(start) < _options.ReconnectTimeout)
            {
                ChatClientLog.ReconnectFailed(_logger, attempt, e.Message);
            }
            catch (ChatConnectionClosedException e) when (!MayPass(e))
            {
                End(e.Reason, e.ServerMessage);
                return;
            }
            catch (Exception e)
            {
                ChatClientLog.ReconnectFailed(_logger, attempt, e.Message);
                End(reason, e is ChatErrorException ? e.Message : words);
                return;
            }
        }
    }

    /// <summary>One attempt, which has worked when this completes.</summary>
    private async Task ResumeAsync()
    {
        var link = new ChatLink(this);
        lock (_linkGate)
        {
            _link = link;
        }

        using var patience = new CancellationTokenSource(_options.ConnectTimeout, _time);
        using CancellationTokenRegistration disposing = _disposing.Token.UnsafeRegister(
            static source => ((CancellationTokenSource)source!).Cancel(), patience);
        try
        {
            Connection connection = await _connectAsync(link, patience.Token).ConfigureAwait(false);
            link.Connection = connection;
            patience.Token.ThrowIfCancellationRequested();
            link.Leaving = _pending.FindLeaves();
            var request = new CResumeReq { Token = _resumeToken, ClientVersion = _options.ClientVersion };
            request.Rooms.AddRange(_rooms.GetPlaces().Where(place => !link.Leaving.Exists(leave => leave.RoomId == place.RoomId)));
            RequireFits(ChatPackets.CResumeReq, request);
            var pending = new PendingRequest<CResumeReq, SResumeRes>(ChatPackets.CResumeReq, request);
            ushort id = _pending.AddSent(pending);
            try
            {
                _ = pending.Send(connection, id); // when it does not go out, the connection has ended, and that is told
                if (!connection.IsOpen)
                {
                    throw new ChatConnectionClosedException(CloseReason.PeerReset, serverMessage: null);
                }

                await pending.Answer.WaitAsync(patience.Token).ConfigureAwait(false);
            }
            finally
            {
                _pending.Remove(id);
            }
        }
        catch (Exception e)
        {
            lock (_linkGate)
            {
                if (link.IsResumed)
                {
                    return; // the answer came in this very moment
                }

                _link = new ChatLink(this); // what comes on the old one counts no more
            }

            link.Connection?.Abort();
            if (e is OperationCanceledException && !_disposing.IsCancellationRequested)
            {
                throw new TimeoutException($"The server did not answer within {_options.ConnectTimeout.TotalSeconds:0.###} seconds.", e);
            }

            throw;
        }
    }

    private TimeSpan DelayBefore(int attempt)
    {
        double full = Math.Min(_options.MaxReconnectDelay.TotalMilliseconds, _options.ReconnectDelay.TotalMilliseconds * Math.Pow(2, attempt - 1));
#pragma warning disable CA5394 // spreads those whom one fault has cut off at the same moment; nothing depends on its being secret
        return TimeSpan.FromMilliseconds(full * (0.5 + (Random.Shared.NextDouble() / 2)));
#pragma warning restore CA5394
    }

    // On the receive loop of the new connection: the next frame is one that was missed, and builds on this.
    private SResumeRes? OnResumed(ChatLink link, Connection connection, ushort requestId, SResumeRes? answer)
    {
        if (answer is null || !_pending.TryGet(requestId, out PendingRequest? waiting) || waiting is not PendingRequest<CResumeReq, SResumeRes>)
        {
            return null; // nobody asked for it
        }

        lock (_linkGate)
        {
            if (_link != link || _isReady)
            {
                return null;
            }

            _isReady = true;
            link.IsResumed = true;
        }

        _resumeToken = answer.ResumeToken;
        UseServer(answer.Server);
        connection.Send(ChatPackets.CHeartbeatNtf, s_heartbeat); // the new token is here: the used one may go
        foreach ((ushort id, long roomId) in link.Leaving)
        {
            // It was not named, and so the server has let the player go, if it had not done so before.
            _rooms.Leave(roomId);
            if (_pending.TryGet(id, out PendingRequest? leave))
            {
                leave.TryComplete(new SLeaveRoomAck { RoomId = roomId });
                _pending.Remove(id);
            }
        }

        List<RoomRecovery> rooms = _rooms.Resume(answer.Rooms);
        ChatClientLog.Resumed(_logger, rooms.Count, rooms.Count(static room => room.IsRecovered));
        Raise(Reconnected, new ReconnectedEventArgs(rooms), nameof(Reconnected));
        _pending.Release(connection);
        if (_disposing.IsCancellationRequested)
        {
            LogOut(connection); // who disposes saw no connection to close while this one was being made
        }

        return answer;
    }

    private void StartKeepAlive()
    {
        if (_keepAlive is null && _options.KeepAlive != Timeout.InfiniteTimeSpan && !_resumeToken.IsEmpty && _options.Reconnect)
        {
            _keepAlive = _time.CreateTimer(static client => ((ChatClient)client!).KeepAlive(), this, _options.KeepAlive, _options.KeepAlive);
        }
    }

    /// <summary>A link that is dead without having ended shows by its silence: the server is asked, and answers, or the connection counts as broken.</summary>
    private void KeepAlive()
    {
        ushort asked = _probeId;
        _probeId = 0;
        if (asked != 0)
        {
            _pending.Remove(asked);
        }

        bool heard = _heard;
        _heard = false;
        if (heard || _pending.Connection is not { } connection)
        {
            return;
        }

        if (asked != 0)
        {
            connection.Abort(CloseReason.IdleTimeout);
            return;
        }

        try
        {
            var probe = new PendingRequest<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq());
            _probeId = _pending.AddSent(probe);
            probe.Send(connection, _probeId);
        }
        catch (ChatConnectionClosedException)
        {
            // Closed meanwhile: there is nothing left to keep.
        }
    }
}
