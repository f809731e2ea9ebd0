using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;

namespace PlayChat.Protocol;

/// <summary>
/// What a client does on each of its connections: it resumes its session there, or logs in again, until the session ends.
/// </summary>
/// <remarks>
/// <see cref="ReconnectingConnection"/> makes the connections, one after the other, so the packets that come here are always of the
/// newest one. Resuming changes the client's state on the receive loop: the next packet is one that was missed, and builds on it.
/// </remarks>
[SuppressMessage("Design", "CA1001", Justification = "The end of the session disposes the probe.")]
internal sealed class SessionKeeper
{
    private readonly EndPointRotation _servers;
    private readonly Func<SessionKeeper, ReconnectOptions, CancellationToken, Task<ReconnectingConnection>> _connectAsync;
    private readonly PendingRequests _pending;
    private readonly RoomTracker _rooms;
    private readonly RequestSender _requests;
    private readonly LoginState _login;
    private readonly ChatEvents _events;
    private readonly ChatClientOptions _options;
    private readonly ILogger _logger;
    private readonly PacketReceiver _receiver;
    private readonly SilenceProbe _probe;
    private readonly bool _followsRedirects;
    private volatile bool _isMoving; // from a redirect of a request until a server has let the client in
    private ReconnectingConnection? _connection; // null until the first connection is open
    private SessionRestart? _restart; // of the attempts alone: of a session that the server does not know, until the client is back

    /// <param name="servers">Where the next connection goes. A server that stops, or names another one, changes it.</param>
    /// <param name="followsRedirects">
    /// Whether it connects to a server that another one names. Servers name their TCP endpoints, so WebSocket clients do not.
    /// </param>
    /// <param name="connectAsync">
    /// Makes a connection that lasts; each of its connections hands its frames to <see cref="OnFrame"/> and calls
    /// <see cref="EnterAsync"/>.
    /// </param>
    /// <param name="pending">The client's requests: held during a break.</param>
    /// <param name="rooms">The client's rooms: what they missed is asked for after a break.</param>
    /// <param name="requests">What the server says of itself after a resume goes there.</param>
    /// <param name="events">Where breaks, resumes and the end are told.</param>
    /// <param name="options">The client's settings.</param>
    /// <param name="logger">The client's log.</param>
    public SessionKeeper(
        EndPointRotation servers,
        bool followsRedirects,
        Func<SessionKeeper, ReconnectOptions, CancellationToken, Task<ReconnectingConnection>> connectAsync,
        PendingRequests pending,
        RoomTracker rooms,
        RequestSender requests,
        ChatEvents events,
        ChatClientOptions options,
        ILogger logger)
    {
        _servers = servers;
        _followsRedirects = followsRedirects;
        _connectAsync = connectAsync;
        _pending = pending;
        _rooms = rooms;
        _requests = requests;
        _events = events;
        _options = options;
        _logger = logger;
        _login = new LoginState();
        _probe = new SilenceProbe(pending, options.Reconnect ? options.KeepAlive : Timeout.InfiniteTimeSpan, options.TimeProvider);
        _receiver = new PacketReceiver(pending, rooms, requests, _login, _probe, events, MoveTo, logger);
    }

    /// <summary>Whether the client goes to another server when one asks it to.</summary>
    public bool FollowsRedirects => _followsRedirects && _options.Reconnect;

    /// <summary>What the server gave the client, and its login.</summary>
    public LoginState State => _login;

    public async Task OpenAsync(CancellationToken cancellationToken)
    {
        var options = new ReconnectOptions
        {
            FirstDelay = _options.ReconnectDelay,
            MaxDelay = _options.MaxReconnectDelay,
            GiveUpAfter = _options.ReconnectTimeout,
            ShouldReturn = ShouldReturn,
            MayPass = RefusalPolicy.MayPass,
            Reconnecting = OnReconnecting,
            Leaving = LogOut,
            Ended = End,
        };
        _connection = await _connectAsync(this, options, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Logs out and closes the connection, or ends the attempts to reconnect, and waits for the end.</summary>
    public Task CloseAsync() => _connection!.DisposeAsync().AsTask();

    /// <summary>Takes a frame; on the receive loop of its connection.</summary>
    public void OnFrame(Connection connection, in Frame frame)
    {
        _probe.Heard();
        if ((PacketId)frame.Header.PacketId != PacketId.SCloseNtf)
        {
            _receiver.OnFrame(connection, in frame);
        }
        else if (_receiver.Decode(connection, ChatPackets.SCloseNtf, in frame) is SCloseNtf farewell)
        {
            var reason = (CloseReason)(int)farewell.Reason;
            if (reason is CloseReason.ServerShutdown or CloseReason.NodeFenced)
            {
                MoveOn(farewell.Endpoint);
            }

            connection.Get<ReconnectingConnection>()!.ExpectClose(
                Enum.IsDefined(reason) ? reason : CloseReason.None,
                string.IsNullOrEmpty(farewell.Message) ? null : farewell.Message,
                TimeSpan.FromMilliseconds(farewell.RetryAfterMs));
        }
    }

    /// <summary>Makes a new connection the client's: the first one as it is, a later one by a resume or another login.</summary>
    public async ValueTask EnterAsync(Connection connection, ReconnectAttempt? attempt, CancellationToken cancellationToken)
    {
        if (attempt is null)
        {
            _pending.Release(connection);
            return;
        }

        if (_login.Answer is null && _login.Credentials is null)
        {
            _isMoving = false; // another server was named for the login, which is among the requests that wait
            _pending.Release(connection);
            _events.Raise(new ReconnectedEventArgs([]));
            return;
        }

        try
        {
            await ReturnAsync(connection, attempt, cancellationToken).ConfigureAwait(false);
            _isMoving = false;
        }
        catch (ChatErrorException e) when (e.Code == ErrorCode.Redirect)
        {
            MoveOn(e.EndPoint);
            throw;
        }
    }

    private async ValueTask ReturnAsync(Connection connection, ReconnectAttempt attempt, CancellationToken cancellationToken)
    {
        // A session that a failed attempt has begun knows nothing of the rooms: the next attempt logs in, or without a login resumes it.
        SResumeRes? resumed = _restart is null || _login.Credentials is null
            ? await TryResumeAsync(connection, cancellationToken).ConfigureAwait(false)
            : null;
        if (_restart is null && resumed is { Restored: false })
        {
            return;
        }

        _restart ??= new SessionRestart(
            _login, _receiver, _pending, _rooms, _requests, _events, _options, _logger, _pending.FindLeaves());
        await _restart.RunAsync(
            connection,
            isLoggedIn: resumed is not null,
            () => new ChatConnectionClosedException(attempt.Reason, attempt.Message),
            cancellationToken).ConfigureAwait(false);
        _restart = null;
    }

    // A server without a resume window gives no token: a break is then the end, unless the server asks for the return itself.
    private bool ShouldReturn(CloseReason reason) => _options.Reconnect
        && (_isMoving
            || !_login.ResumeToken.IsEmpty
            || (reason is CloseReason.ServerShutdown or CloseReason.NodeFenced && _login.Credentials is not null));

    /// <summary>Chooses the server of the next connection: the one that this server has named, or the next of the list.</summary>
    private void MoveOn(string named)
    {
        if (_followsRedirects && ServerAddress.TryParse(named) is { } other)
        {
            _servers.Prefer(other);
        }
        else
        {
            _servers.MoveOn(); // of one server it is the same one
        }
    }

    /// <summary>Leaves this server for one that takes a request. The client resumes there, and sends the request again.</summary>
    /// <returns>False when the client stays, and the request fails.</returns>
    private bool MoveTo(Connection connection, string named)
    {
        if (!FollowsRedirects
            || (_login.Answer is not null && _login.ResumeToken.IsEmpty)
            || ServerAddress.TryParse(named) is not { } other
            || connection.Get<ReconnectingConnection>() is not { } lasting)
        {
            return false;
        }

        _servers.Prefer(other);
        _isMoving = true;
        lasting.ExpectClose(CloseReason.PeerClosed, $"The server asks to connect to {named}.");
        connection.Close();
        return true;
    }

    private void OnReconnecting(ReconnectAttempt attempt)
    {
        if (attempt.Number == 1)
        {
            ChatClientLog.Disconnected(_logger, attempt.Reason);
            if (attempt is { Reason: CloseReason.IdleTimeout, Message: null }) // a server that lives says why it closes
            {
                _servers.MoveOn(); // the system of a frozen server still accepts connections, so an attempt there takes the whole timeout
            }
        }

        _pending.Hold(() => new ChatConnectionClosedException(attempt.Reason, attempt.Message));
        _events.Raise(new ReconnectingEventArgs(attempt.Reason, attempt.Message, attempt.Number, attempt.Delay));
    }

    /// <returns><see langword="null"/> when the server does not know the session any more, and the client can log in.</returns>
    private async Task<SResumeRes?> TryResumeAsync(Connection connection, CancellationToken cancellationToken)
    {
        if (_login.ResumeToken.IsEmpty)
        {
            return null;
        }

        List<(ushort RequestId, long RoomId)> leaving = _pending.FindLeaves();
        var request = new CResumeReq
        {
            Token = _login.ResumeToken,
            ClientVersion = _options.ClientVersion,
            FollowsRedirects = FollowsRedirects,
        };
        bool isBegun = _restart is not null; // by an attempt that has failed; the server lets go of the rooms that it had joined
        if (!isBegun)
        {
            request.Rooms.AddRange(_rooms.GetPlaces().Where(place => !leaving.Exists(leave => leave.RoomId == place.RoomId)));
        }

        try
        {
            return await _requests.AskAsync<CResumeReq, SResumeRes>(
                connection,
                ChatPackets.CResumeReq,
                request,
                _options.ConnectTimeout,
                answer => Resume(connection, answer, isBegun, leaving),
                cancellationToken).ConfigureAwait(false);
        }
        catch (ChatErrorException e) when (e.Code == ErrorCode.ResumeRefused && _login.Credentials is not null)
        {
            ChatClientLog.LoggingInAgain(_logger, e.Message);
            return null;
        }
    }

    // On the receive loop of the new connection.
    private void Resume(Connection connection, SResumeRes answer, bool isBegun, List<(ushort RequestId, long RoomId)> leaving)
    {
        _login.Resumed(answer);
        _requests.UseServer(answer.Server);
        if (answer.Restored || isBegun)
        {
            return; // the attempt joins the rooms next
        }

        PacketReceiver.SendHeartbeat(connection); // tells the server that the new token has arrived, so that it may forget the used one

        // The resume did not name these rooms, so the server has let the player go, if it had not done so before.
        leaving.ForEach(leave => _rooms.Leave(leave.RoomId));
        _pending.CompleteLeaves(leaving);
        List<RoomRecovery> rooms = _rooms.Resume(answer.Rooms);
        ChatClientLog.Resumed(_logger, rooms.Count, rooms.Count(static room => room.IsRecovered));
        _pending.Release(connection); // before anything hears of the connection, or what is sent then would be dropped
        _events.Raise(new ReconnectedEventArgs(rooms));
    }

    private void LogOut(Connection connection)
    {
        if (_options.Reconnect && _login.Answer is not null)
        {
            connection.SendPacket(new CLogoutNtf(), type: ChatPackets.CLogoutNtf);
        }
    }

    private void End(ReconnectEnd end)
    {
        ChatClientLog.Disconnected(_logger, end.Reason);
        string? words = end.Error is ChatErrorException refused ? refused.Message : end.Message;
        _probe.Dispose();
        _pending.Close(() => new ChatConnectionClosedException(end.Reason, words));
        _events.End(end.Reason, words);
    }
}
