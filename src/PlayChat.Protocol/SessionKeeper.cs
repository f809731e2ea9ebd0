using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;

namespace PlayChat.Protocol;

/// <summary>The life of a client's session: its first connection, another one after each break, where it resumes, and its end.</summary>
/// <remarks>
/// <para>At most one link is current, and only its packets and its end count. <c>_isReady</c> is true while the session lives on the
/// current link, and false
/// from a break until the resume on another link; both are written under <c>_gate</c>, so a resume and the end of its link have one
/// order.</para>
/// <para>The other parts of the client never see a link that is not current.</para>
/// </remarks>
[SuppressMessage(
    "Design", "CA1001",
    Justification = "The end of the session disposes the probe; the token source has neither a timer nor a wait handle.")]
internal sealed class SessionKeeper
{
    private readonly object _gate = new();
    private readonly CancellationTokenSource _disposing = new();
    private readonly Func<ChatLink, CancellationToken, Task<Connection>> _connectAsync;
    private readonly PendingRequests _pending;
    private readonly RoomTracker _rooms;
    private readonly RequestSender _requests;
    private readonly LoginState _login;
    private readonly ChatEvents _events;
    private readonly ChatClientOptions _options;
    private readonly ILogger _logger;
    private readonly PacketReceiver _receiver;
    private readonly ReconnectPolicy _policy;
    private readonly SilenceProbe _probe;
    private volatile ChatLink? _link; // written under _gate
    private bool _isReady = true; // guarded by _gate

    /// <param name="connectAsync">Makes a connection, and hands its frames and its end to the link's keeper.</param>
    /// <param name="pending">The client's requests: held during a break.</param>
    /// <param name="rooms">The client's rooms: what they missed is asked for after a break.</param>
    /// <param name="requests">What the server says of itself after a resume goes there.</param>
    /// <param name="events">Where breaks, resumes and the end are told.</param>
    /// <param name="options">The client's settings.</param>
    /// <param name="logger">The client's log.</param>
    public SessionKeeper(
        Func<ChatLink, CancellationToken, Task<Connection>> connectAsync,
        PendingRequests pending,
        RoomTracker rooms,
        RequestSender requests,
        ChatEvents events,
        ChatClientOptions options,
        ILogger logger)
    {
        _connectAsync = connectAsync;
        _pending = pending;
        _rooms = rooms;
        _requests = requests;
        _events = events;
        _options = options;
        _logger = logger;
        _login = new LoginState();
        _policy = new ReconnectPolicy(options);
        _probe = new SilenceProbe(pending, options.Reconnect ? options.KeepAlive : Timeout.InfiniteTimeSpan, options.TimeProvider);
        _receiver = new PacketReceiver(pending, rooms, requests, _login, _probe, events, logger);
    }

    /// <summary>The answer to the login; null before it.</summary>
    public SLoginRes? Login => _login.Answer;

    /// <summary>Makes the first connection.</summary>
    public async Task OpenAsync(CancellationToken cancellationToken)
    {
        var link = new ChatLink(this);
        _link = link; // no other thread knows the keeper yet
        link.Connection = await _connectAsync(link, cancellationToken).ConfigureAwait(false);
        _pending.Release(link.Connection);
    }

    /// <summary>Logs out and closes the connection, or ends the attempts to reconnect. The events tell when the session has
    /// ended.</summary>
    public async Task CloseAsync()
    {
        await _disposing.CancelAsync().ConfigureAwait(false);
        Connection? connection;
        lock (_gate)
        {
            connection = _isReady ? _link?.Connection : null; // an attempt that is under way sees the token
        }

        if (connection is not null)
        {
            LogOut(connection);
        }
    }

    /// <summary>Takes a frame; on the receive loop of the link's connection.</summary>
    public void OnFrame(ChatLink link, Connection connection, in Frame frame)
    {
        if (_link != link)
        {
            return; // given up
        }

        _probe.Heard();
        switch ((PacketId)frame.PacketId)
        {
            case PacketId.SCloseNtf:
                link.Farewell = _receiver.Decode(connection, ChatPackets.SCloseNtf, in frame);
                break;

            case PacketId.SResumeRes:
                if (_receiver.Decode(connection, ChatPackets.SResumeRes, in frame) is { } resumed
                    && TryResume(link, connection, frame.RequestId, resumed))
                {
                    _receiver.Complete(connection, in frame, resumed);
                }

                break;

            default:
                _receiver.OnFrame(connection, in frame);
                break;
        }
    }

    /// <summary>The link's connection has ended.</summary>
    public void OnClosed(ChatLink link, CloseReason reason)
    {
        if (link.Farewell is { Reason: not CloseCode.None } farewell && Enum.IsDefined((CloseReason)(int)farewell.Reason))
        {
            reason = (CloseReason)(int)farewell.Reason;
        }

        string? words = string.IsNullOrEmpty(link.Farewell?.Message) ? null : link.Farewell.Message;
        ChatClientLog.Disconnected(_logger, reason);
        bool wasReady;
        bool mayResume = _options.Reconnect
            && !_login.ResumeToken.IsEmpty
            && ReconnectPolicy.IsBreak(reason)
            && !_disposing.IsCancellationRequested;
        lock (_gate)
        {
            if (_link != link)
            {
                return; // given up before
            }

            wasReady = _isReady;
            _isReady = false;
        }

        if (!wasReady)
        {
            _pending.FailResume(new ChatConnectionClosedException(reason, words)); // one attempt; the next may follow
        }
        else if (mayResume)
        {
            _pending.Hold();
            _ = ReconnectAsync(reason, words);
        }
        else
        {
            End(reason, words);
        }
    }

    private async Task ReconnectAsync(CloseReason reason, string? words)
    {
        long start = _options.TimeProvider.GetTimestamp();
        for (int attempt = 1; ; attempt++)
        {
            TimeSpan delay = _policy.DelayBefore(attempt);
            _events.Raise(new ReconnectingEventArgs(reason, words, attempt, delay));
            try
            {
                await Task.Delay(delay, _options.TimeProvider, _disposing.Token).ConfigureAwait(false);
                await ResumeAsync().ConfigureAwait(false);
                return;
            }
            catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException)
            {
                End(CloseReason.LocalClose, words: null); // this side has closed meanwhile
                return;
            }
            catch (Exception e) when (
                ReconnectPolicy.MayPass(e) && _options.TimeProvider.GetElapsedTime(start) < _options.ReconnectTimeout)
            {
                ChatClientLog.ReconnectFailed(_logger, attempt, e.Message);
            }
            catch (ChatConnectionClosedException e) when (!ReconnectPolicy.MayPass(e))
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

    /// <summary>Makes one attempt, which has succeeded when this completes.</summary>
    private async Task ResumeAsync()
    {
        var link = new ChatLink(this);
        lock (_gate)
        {
            _link = link;
        }

        using var patience = new CancellationTokenSource(_options.ConnectTimeout, _options.TimeProvider);
        using CancellationTokenRegistration disposing = _disposing.Token.UnsafeRegister(
            static source => ((CancellationTokenSource)source!).Cancel(), patience);
        try
        {
            link.Connection = await _connectAsync(link, patience.Token).ConfigureAwait(false);
            patience.Token.ThrowIfCancellationRequested();
            await AskAsync(link, link.Connection, patience.Token).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            lock (_gate)
            {
                if (link.IsResumed)
                {
                    return; // the answer came in this very moment
                }

                _link = new ChatLink(this); // packets on the old one no longer count
            }

            link.Connection?.Abort();
            if (e is OperationCanceledException && !_disposing.IsCancellationRequested)
            {
                throw new TimeoutException($"The server did not answer within {_options.ConnectTimeout.TotalSeconds:0.###} seconds.", e);
            }

            throw;
        }
    }

    /// <summary>Asks the server to resume the session, and awaits its answer.</summary>
    private async Task AskAsync(ChatLink link, Connection connection, CancellationToken cancellationToken)
    {
        link.Leaving = _pending.FindLeaves();
        var request = new CResumeReq { Token = _login.ResumeToken, ClientVersion = _options.ClientVersion };
        request.Rooms.AddRange(_rooms.GetPlaces().Where(place => !link.Leaving.Exists(leave => leave.RoomId == place.RoomId)));
        _requests.RequireFits(ChatPackets.CResumeReq, request);
        var resume = new PendingRequest<CResumeReq, SResumeRes>(ChatPackets.CResumeReq, request);
        ushort id = _pending.AddSent(resume);
        try
        {
            _ = resume.Send(connection, id); // when it does not go out, the connection has ended, and its end is told
            if (!connection.IsOpen)
            {
                throw new ChatConnectionClosedException(CloseReason.PeerReset, serverMessage: null);
            }

            await resume.Answer.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _pending.Remove(id);
        }
    }

    // On the receive loop of the new connection: the next frame is one that was missed, and builds on this.
    private bool TryResume(ChatLink link, Connection connection, ushort requestId, SResumeRes answer)
    {
        if (!_pending.TryGet(requestId, out PendingRequest? waiting) || waiting is not PendingRequest<CResumeReq, SResumeRes>)
        {
            return false; // no attempt asked for it
        }

        lock (_gate)
        {
            if (_link != link || _isReady)
            {
                return false;
            }

            _isReady = true;
            link.IsResumed = true;
        }

        _login.Resumed(answer);
        _requests.UseServer(answer.Server);
        PacketReceiver.SendHeartbeat(connection); // tells the server that the new token has arrived, so that it may forget the used one
        foreach ((ushort id, long roomId) in link.Leaving)
        {
            // The resume did not name this room, so the server has let the player go, if it had not done so before.
            _rooms.Leave(roomId);
            if (_pending.TryGet(id, out PendingRequest? leave))
            {
                leave.TryComplete(new SLeaveRoomAck { RoomId = roomId });
                _pending.Remove(id);
            }
        }

        List<RoomRecovery> rooms = _rooms.Resume(answer.Rooms);
        ChatClientLog.Resumed(_logger, rooms.Count, rooms.Count(static room => room.IsRecovered));
        _events.Raise(new ReconnectedEventArgs(rooms));
        _pending.Release(connection);
        if (_disposing.IsCancellationRequested)
        {
            LogOut(connection); // CloseAsync saw no connection to close while this one was being made
        }

        return true;
    }

    private void LogOut(Connection connection)
    {
        if (_options.Reconnect && Login is not null)
        {
            connection.Send(ChatPackets.CLogoutNtf, new CLogoutNtf());
        }

        connection.Close(CloseReason.LocalClose);
    }

    private void End(CloseReason reason, string? words)
    {
        _probe.Dispose();
        _pending.Close(() => new ChatConnectionClosedException(reason, words));
        _events.End(reason, words);
    }
}
