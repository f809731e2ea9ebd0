using System.Diagnostics;
using System.Net;
using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Clients;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;

namespace PlayChat.Protocol;

/// <summary>
/// One session with a chat server: typed requests, and events for what the server sends unasked. Wire form: proto/PROTOCOL.md.
/// </summary>
/// <remarks>
/// <para>Thread-safe; any number of requests may be pending at once. The client answers heartbeats by itself.</para>
/// <para>When the connection breaks after a login, the client makes another one and resumes there (<see cref="Reconnecting"/>,
/// <see cref="Reconnected"/>). The player stays in its rooms, what was missed follows in order, and requests without an answer are sent
/// again; a room takes a message at most once. <see cref="ChangePasswordAsync"/> fails instead of being sent again, and so do
/// <see cref="SendDirectAsync(long, string, CancellationToken)"/>, unless the server stores direct messages, and
/// <see cref="CreateRoomAsync(string, CancellationToken)"/> where rooms last. What the server can no longer give is reported by
/// <see cref="Reconnected"/>, before the messages that come after it.</para>
/// <para>When the server does not know the session any more, because it was restarted or the session's time has passed, the client logs in
/// again with the name and password of its login, joins its rooms again and reads what was said there meanwhile. It takes over from a
/// login that the player has made elsewhere in the meantime, as every login does. Requests that had gone out before the break then fail
/// with <see cref="ChatConnectionClosedException"/>, because the new server may not recognize a message that is sent twice; requests made
/// meanwhile are sent. A server that stops says whether and when it comes back; the client then waits that long.</para>
/// <para>The session ends with <see cref="Disconnected"/> when the login is refused, another login takes it over, the server stops for
/// good, or no attempt succeeds in time. Make a new client then. <see cref="ChatClientOptions.Reconnect"/> turns all this off.</para>
/// <para>A request ends in one of five ways: the answer; <see cref="ChatErrorException"/> when the server refuses;
/// <see cref="ChatConnectionClosedException"/> when the connection ends or has ended; <see cref="TimeoutException"/> after
/// <see cref="ChatClientOptions.RequestTimeout"/>; <see cref="OperationCanceledException"/>. After the last three it is unknown whether the
/// server has carried out the request, and a late answer is ignored. A request that is larger than the server takes is an
/// <see cref="ArgumentException"/>.</para>
/// <para>Events are raised one after the other, in the order in which packets arrived, on the receive loop. A handler must return soon and
/// must
/// not block: nothing is received meanwhile. An exception of a handler is logged and has no other effect. A message that follows the answer
/// to a
/// request may be raised before the code that awaits the answer continues.</para>
/// </remarks>
public sealed class ChatClient : IAsyncDisposable
{
    private readonly PendingRequests _pending = new();
    private readonly RoomTracker _rooms;
    private readonly RequestSender _requests;
    private readonly ChatEvents _events;
    private readonly SessionKeeper _session;
    private readonly ChatClientOptions _options;
    private readonly IAsyncDisposable? _owner; // disposed with the client

    // Starts at random, so that a program that starts again does not repeat the numbers of its earlier run.
    private long _lastMessageId = BitConverter.ToInt64(RandomNumberGenerator.GetBytes(sizeof(long)));

    internal ChatClient(
        ChatClientOptions options,
        EndPointRotation servers,
        bool followsRedirects,
        Func<SessionKeeper, ReconnectOptions, CancellationToken, Task<ReconnectingConnection>> connectAsync,
        IAsyncDisposable? owner)
    {
        ILogger logger = options.LoggerFactory.CreateLogger("PlayChat.Protocol.ChatClient");
        _options = options;
        _owner = owner;
        _rooms = new RoomTracker(options.TimeProvider);
        _requests = new RequestSender(_pending, options);
        _events = new ChatEvents(this, logger);
        _session = new SessionKeeper(servers, followsRedirects, connectAsync, _pending, _rooms, _requests, _events, options, logger);
    }

    /// <summary>
    /// Raised when a player, the client's own included, or the server says something in a room. The remarks of <see cref="ChatClient"/>
    /// say where it runs.
    /// </summary>
    public event EventHandler<ChatReceivedEventArgs>? ChatReceived
    {
        add => _events.ChatReceived += value;
        remove => _events.ChatReceived -= value;
    }

    /// <summary>
    /// Raised when another player joins a room of the client's. A player that leaves is told by <see cref="ChatReceived"/>, with
    /// <see cref="SRoomChatNtf.Left"/>.
    /// </summary>
    public event EventHandler<MemberJoinedEventArgs>? MemberJoined
    {
        add => _events.MemberJoined += value;
        remove => _events.MemberJoined -= value;
    }

    /// <summary>Raised when a message of a room got another text, or none. The client may not have the message.</summary>
    public event EventHandler<PacketEventArgs<SMessageEditedNtf>>? MessageEdited
    {
        add => _events.MessageEdited += value;
        remove => _events.MessageEdited -= value;
    }

    /// <summary>
    /// Raised when a player has reacted to a message, or has taken that back. The client may not have the message; what came before it is
    /// in <see cref="SRoomChatNtf.Reactions"/> of the history.
    /// </summary>
    public event EventHandler<PacketEventArgs<SReactionNtf>>? ReactionChanged
    {
        add => _events.ReactionChanged += value;
        remove => _events.ReactionChanged -= value;
    }

    /// <summary>Raised when another player is writing in a room; show it for 5 seconds, or until its next message.</summary>
    public event EventHandler<PacketEventArgs<STypingNtf>>? MemberTyping
    {
        add => _events.MemberTyping += value;
        remove => _events.MemberTyping -= value;
    }

    /// <summary>Raised when a player has reported a message of a room that this one moderates; <see cref="ListReportsAsync"/> has the
    /// lines.</summary>
    public event EventHandler<PacketEventArgs<SReportNtf>>? MessageReported
    {
        add => _events.MessageReported += value;
        remove => _events.MessageReported -= value;
    }

    /// <summary>Raised when the player has sent a direct message on another device, where the server stores them.</summary>
    public event EventHandler<PacketEventArgs<SDirectSentNtf>>? DirectSentElsewhere
    {
        add => _events.DirectSentElsewhere += value;
        remove => _events.DirectSentElsewhere -= value;
    }

    /// <summary>
    /// Raised when the player is in a room on another device; enter it with <see cref="JoinRoomAsync(long, CancellationToken)"/> to have it
    /// on this one as well.
    /// </summary>
    public event EventHandler<PacketEventArgs<SRoomEnteredNtf>>? RoomEntered
    {
        add => _events.RoomEntered += value;
        remove => _events.RoomEntered -= value;
    }

    /// <summary>
    /// Raised when a moderator or an operator has taken the player out of a room, or the player has left it on another device; the message
    /// says why.
    /// </summary>
    public event EventHandler<PacketEventArgs<SRoomLeftNtf>>? RoomLeft
    {
        add => _events.RoomLeft += value;
        remove => _events.RoomLeft -= value;
    }

    /// <summary>
    /// Raised when the player has become a member of a room by invitation; enter it with
    /// <see cref="JoinRoomAsync(long, CancellationToken)"/>. The other rooms that it is a member of are in
    /// <see cref="SLoginRes.Memberships"/>.
    /// </summary>
    public event EventHandler<PacketEventArgs<SInvitedNtf>>? Invited
    {
        add => _events.Invited += value;
        remove => _events.Invited -= value;
    }

    /// <summary>Raised when a player says something to this client's player alone; answer with
    /// <see cref="SendDirectAsync(long, string, CancellationToken)"/>.</summary>
    public event EventHandler<DirectChatReceivedEventArgs>? DirectChatReceived
    {
        add => _events.DirectChatReceived += value;
        remove => _events.DirectChatReceived -= value;
    }

    /// <summary>
    /// Raised when the server refuses a message without an answer, such as one from <see cref="SendChat"/>, and for a notice of an operator
    /// (<see cref="ErrorCode.None"/>). Show its sentence to the player.
    /// </summary>
    public event EventHandler<ServerNoticeEventArgs>? ServerNotice
    {
        add => _events.ServerNotice += value;
        remove => _events.ServerNotice -= value;
    }

    /// <summary>
    /// Raised when the connection has broken or the server restarts, before each attempt to make another. Requests wait meanwhile. Either
    /// <see cref="Reconnected"/> or
    /// <see cref="Disconnected"/> follows in the end.
    /// </summary>
    public event EventHandler<ReconnectingEventArgs>? Reconnecting
    {
        add => _events.Reconnecting += value;
        remove => _events.Reconnecting -= value;
    }

    /// <summary>
    /// Raised when the session continues on a new connection, resumed or after another login. What was missed follows as events of its own,
    /// or is reported as missing here.
    /// </summary>
    public event EventHandler<ReconnectedEventArgs>? Reconnected
    {
        add => _events.Reconnected += value;
        remove => _events.Reconnected -= value;
    }

    /// <summary>Raised once, as the last event, when the session has ended, from whichever side. Requests have failed by then.</summary>
    public event EventHandler<ChatDisconnectedEventArgs>? Disconnected
    {
        add => _events.Disconnected += value;
        remove => _events.Disconnected -= value;
    }

    /// <summary>Whether the client is connected, and not reconnecting. It may change at any moment.</summary>
    public bool IsConnected => _pending.Connection is { IsOpen: true };

    /// <summary>
    /// Completes when the session has ended and <see cref="Disconnected"/> has been raised: for a subscriber that came too late. Never
    /// faults.
    /// </summary>
    public Task<ChatDisconnectedEventArgs> Closed => _events.Closed;

    /// <summary>The answer to the login; null before it.</summary>
    public SLoginRes? Login => _session.State.Answer;

    /// <summary>Messages of all joined rooms that never came, as far as the sequences tell. 0 unless something is wrong.</summary>
    public long MissedMessages => _rooms.MissedMessages;

    /// <summary>Requests that wait for their answers.</summary>
    public int RequestsInFlight => _pending.Count;

    /// <summary>Connects to a server; <see cref="LoginAsync(string, string?, CancellationToken)"/> comes next.</summary>
    /// <param name="host">The server's address or name.</param>
    /// <param name="port">The server's port, 1 to 65,535.</param>
    /// <param name="options">The settings; the defaults without.</param>
    /// <param name="cancellationToken">Gives up; nothing is left open.</param>
    /// <exception cref="Core.Transport.ConnectFailedException">
    /// The server did not answer in time, or refused; the message says which.
    /// </exception>
    /// <exception cref="OptionsException">An option is invalid.</exception>
    public static Task<ChatClient> ConnectAsync(
        string host, int port, ChatClientOptions? options = null, CancellationToken cancellationToken = default) =>
        ConnectAsync(new ChatConnector(host, port, options), cancellationToken);

    /// <summary>Connects to a server of a cluster; <see cref="LoginAsync(string, string?, CancellationToken)"/> comes next.</summary>
    /// <remarks>
    /// When the connection breaks, the client resumes on the first server of the list that takes it back. A server may name another server,
    /// in the list or not: the client resumes there, and sends the request that was refused again.
    /// </remarks>
    /// <param name="servers">At least one server, as <see cref="DnsEndPoint"/> or <see cref="IPEndPoint"/>.</param>
    /// <param name="options">The settings; the defaults without.</param>
    /// <param name="cancellationToken">Gives up; nothing is left open.</param>
    /// <exception cref="Core.Transport.ConnectFailedException">
    /// No server answered in time, or all refused; the message is about the last one.
    /// </exception>
    /// <exception cref="ArgumentException">The list is empty.</exception>
    /// <exception cref="OptionsException">An option is invalid.</exception>
    public static Task<ChatClient> ConnectAsync(
        IReadOnlyList<EndPoint> servers, ChatClientOptions? options = null, CancellationToken cancellationToken = default) =>
        ConnectAsync(new ChatConnector(servers, options), cancellationToken);

    /// <summary>Connects to a server over WebSocket; <see cref="LoginAsync(string, string?, CancellationToken)"/> comes next.</summary>
    /// <param name="server">
    /// <c>ws://HOST:PORT/PATH</c>, or <c>wss://</c> with TLS. The port is 80 or 443 and the path <c>/ws</c> unless it has one.
    /// </param>
    /// <param name="options">The settings; the defaults without. Those of TLS count with <c>wss</c>.</param>
    /// <param name="cancellationToken">Gives up; nothing is left open.</param>
    /// <exception cref="Core.Transport.ConnectFailedException">
    /// The server did not answer in time, or refused; the message says which.
    /// </exception>
    /// <exception cref="ArgumentException">
    /// The address is of another kind, or the options have a transport, or TLS for <c>ws</c>.
    /// </exception>
    /// <exception cref="OptionsException">An option is invalid.</exception>
    public static Task<ChatClient> ConnectAsync(
        Uri server, ChatClientOptions? options = null, CancellationToken cancellationToken = default) =>
        ConnectAsync(new ChatConnector(server, options), cancellationToken);

    private static async Task<ChatClient> ConnectAsync(ChatConnector connector, CancellationToken cancellationToken)
    {
        try
        {
            return await connector.ConnectAsync(owner: connector, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            await connector.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Logs in; waits for <see cref="ChatClientOptions.LoginTimeout"/>. May be tried again after a refusal.</summary>
    /// <param name="name">1 to 32 characters; see <see cref="ChatRules.IsPlayerName"/>.</param>
    /// <param name="password">Where the account has one.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <remarks>
    /// With <see cref="ChatClientOptions.Reconnect"/> the client keeps name and password in memory until it is disposed of, so that it
    /// can log in again when the server does not know its session any more.
    /// </remarks>
    public Task<SLoginRes> LoginAsync(string name, string? password = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(name);
        var login = new CLoginReq { Name = name };
        if (password is not null)
        {
            login.Password = password;
        }

        return LoginAsync(login, cancellationToken);
    }

    /// <summary>
    /// Logs in as <see cref="LoginAsync(string, string?, CancellationToken)"/> does, and asks before it registers a name or takes over.
    /// </summary>
    /// <param name="login">
    /// The name, the password, <see cref="CLoginReq.NoRegistration"/>, <see cref="CLoginReq.MustRegister"/>,
    /// <see cref="CLoginReq.NoTakeover"/> and <see cref="CLoginReq.Keep"/>; or <see cref="CLoginReq.LoginToken"/> alone. The client sets
    /// the other fields of its copy. When it logs in again after a break, it asks for the same.
    /// </param>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <remarks>
    /// With <see cref="CLoginReq.Keep"/> the device stays logged in: <see cref="Login"/> has a <see cref="SLoginRes.LoginToken"/>, which
    /// replaces name and password at the next login, also that of the next run. Store it where only this player can read it. Each login
    /// by it and <see cref="ChangePasswordAsync"/> replace it: store the newest one after both, and at <see cref="Reconnected"/>. To
    /// forget it, call <see cref="ForgetDeviceAsync"/>.
    /// </remarks>
    /// <exception cref="ChatErrorException">
    /// The server refused it, for example with <see cref="ErrorCode.NameUnknown"/> or <see cref="ErrorCode.NameInUse"/>.
    /// </exception>
    public async Task<SLoginRes> LoginAsync(CLoginReq login, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(login);
        CLoginReq request = login.Clone();
        request.ClientVersion = _options.ClientVersion;
        request.AnnouncesLogout = _options.Reconnect;
        request.FollowsRedirects = _session.FollowsRedirects;
        SLoginRes answer = await _requests.RequestAsync<CLoginReq, SLoginRes>(
            ChatPackets.CLoginReq, request, _options.LoginTimeout, cancellationToken).ConfigureAwait(false);
        if (_options.Reconnect)
        {
            _session.State.Keep(request, answer.LoginToken);
        }

        return answer;
    }

    /// <summary>
    /// Makes a room and enters it. Where rooms last (<see cref="ServerInfo.RoomsLast"/>), the client sends it at most once: when the
    /// connection breaks before the answer, it fails with <see cref="ChatConnectionClosedException"/>.
    /// </summary>
    /// <param name="name">1 to 64 characters; see <see cref="ChatRules.IsRoomName"/>.</param>
    /// <param name="cancellationToken">Stops waiting. The client may still become a member.</param>
    public Task<SCreateRoomRes> CreateRoomAsync(string name, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(name);
        return CreateRoomAsync(new CCreateRoomReq { Name = name }, cancellationToken);
    }

    /// <summary>
    /// As <see cref="CreateRoomAsync(string, CancellationToken)"/>, for a room with a type and properties.
    /// </summary>
    /// <param name="room">
    /// The room: see <see cref="ChatRules.IsRoomName"/>, <see cref="ChatRules.IsRoomType"/> and <see cref="ChatRules.AreRoomProperties"/>.
    /// Do not change it before the task has completed.
    /// </param>
    /// <param name="cancellationToken">Stops waiting. The client may still become a member.</param>
    public Task<SCreateRoomRes> CreateRoomAsync(CCreateRoomReq room, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(room);
        return _requests.RequestAsync<CCreateRoomReq, SCreateRoomRes>(ChatPackets.CCreateRoomReq, room, cancellationToken);
    }

    /// <summary>Enters a room. A client may be in several.</summary>
    /// <param name="roomId">The room's id.</param>
    /// <param name="cancellationToken">Stops waiting. The client may still become a member.</param>
    public Task<SJoinRoomRes> JoinRoomAsync(long roomId, CancellationToken cancellationToken = default) =>
        _requests.RequestAsync<CJoinRoomReq, SJoinRoomRes>(
            ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = roomId }, cancellationToken);

    /// <summary>Enters a room that may need a password.</summary>
    /// <param name="room">The room's id and password. Do not change it before the task has completed.</param>
    /// <param name="cancellationToken">Stops waiting. The client may still become a member.</param>
    /// <exception cref="ChatErrorException">
    /// The server refused it, for example with <see cref="ErrorCode.RoomPasswordRequired"/> or <see cref="ErrorCode.RoomLocked"/>.
    /// </exception>
    public Task<SJoinRoomRes> JoinRoomAsync(CJoinRoomReq room, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(room);
        return _requests.RequestAsync<CJoinRoomReq, SJoinRoomRes>(ChatPackets.CJoinRoomReq, room, cancellationToken);
    }

    /// <summary>Asks for one page of the rooms there are, by ascending id.</summary>
    /// <param name="afterRoomId">
    /// Only rooms with a greater id: <see cref="SListRoomsRes.LastRoomId"/> of the page before, if it has <see cref="SListRoomsRes.More"/>;
    /// 0, the default, begins.
    /// </param>
    /// <param name="limit">At most so many rooms, 1 to 200; 0, the default, is 200.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <returns>The rooms, and whether there are more.</returns>
    public Task<SListRoomsRes> ListRoomsAsync(long afterRoomId = 0, int limit = 0, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(limit);
        return ListRoomsAsync(new CListRoomsReq { AfterRoomId = afterRoomId, Limit = (uint)limit }, cancellationToken);
    }

    /// <summary>Asks for one page of the rooms of a type or with certain properties, by ascending id.</summary>
    /// <param name="page">Which rooms, and where the page begins. Do not change it before the task has completed.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <returns>
    /// The rooms, and whether there are more. With more, a page may have fewer rooms than asked for, or none, and
    /// <see cref="SListRoomsRes.LastRoomId"/> is greater than that of the page before. An older server does not send it: then it is the id
    /// of the page's last room, and an empty page is the last one.
    /// </returns>
    public async Task<SListRoomsRes> ListRoomsAsync(CListRoomsReq page, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(page);
        long after = page.AfterRoomId;
        SListRoomsRes listed = await _requests.RequestAsync<CListRoomsReq, SListRoomsRes>(
            ChatPackets.CListRoomsReq, page, cancellationToken).ConfigureAwait(false);
        if (listed.More && listed.LastRoomId <= after)
        {
            // Otherwise a caller that reads page after page would never end.
            listed.LastRoomId = listed.Rooms.Count > 0 ? listed.Rooms[^1].RoomId : 0;
            listed.More = listed.LastRoomId > after;
        }

        return listed;
    }

    /// <summary>
    /// Says something in a room, and waits until it has its place there. It also comes back as <see cref="ChatReceived"/>, before or after.
    /// </summary>
    /// <param name="roomId">A room that the client is in.</param>
    /// <param name="text">1 to 4,000 bytes of UTF-8; see <see cref="ChatRules.IsText"/>.</param>
    /// <param name="clientMessageId">
    /// From <see cref="NewClientMessageId"/> for a message that the caller may send again when its answer does not come: the room takes it
    /// once. 0, the
    /// default, leaves it to the client.
    /// </param>
    /// <param name="cancellationToken">Stops waiting. The message may still be delivered.</param>
    public async Task<SRoomChatRes> ChatAsync(
        long roomId, string text, ulong clientMessageId = 0, CancellationToken cancellationToken = default)
    {
        using Activity? span = ChatTracing.Begin(roomId);
        // One that may be sent again on another connection needs a number.
        CRoomChatReq request = ChatRequest(
            roomId, text, clientMessageId == 0 && _options.Reconnect ? NewClientMessageId() : clientMessageId, span);
        return await _requests.RequestAsync<CRoomChatReq, SRoomChatRes>(ChatPackets.CRoomChatReq, request, cancellationToken)
            .ConfigureAwait(false);
    }

    /// <summary>
    /// Sends a message to a room without waiting for an answer. If the server refuses the message, <see cref="ServerNotice"/> is raised.
    /// A message that is under way when the connection breaks may be lost: it has no answer, so the client does not send it again.
    /// </summary>
    /// <param name="roomId">A room that the client is in.</param>
    /// <param name="text">1 to 4,000 bytes of UTF-8.</param>
    /// <param name="clientMessageId">As for <see cref="ChatAsync"/>.</param>
    /// <returns>
    /// <see langword="false"/> when the message is not sent: the connection has ended or is being made again, or
    /// <see cref="ChatClientOptions.MaxOutboundBytes"/> wait already.
    /// </returns>
    /// <exception cref="ArgumentException">The text is larger than the server takes in any packet.</exception>
    public bool SendChat(long roomId, string text, ulong clientMessageId = 0)
    {
        using Activity? span = ChatTracing.Begin(roomId);
        CRoomChatReq request = ChatRequest(roomId, text, clientMessageId, span);
        _requests.RequireFits(ChatPackets.CRoomChatReq, request);
        return _pending.Connection?.SendPacket(request, type: ChatPackets.CRoomChatReq) ?? false;
    }

    /// <summary>Says something to one player, and waits until the server has stored it, or has passed it on.</summary>
    /// <remarks>
    /// <para>Where the server stores direct messages (<see cref="ServerInfo.DirectStored"/>), the player need not be connected. The client
    /// sends the message again after a break, and the server takes it once.</para>
    /// <para>Elsewhere the client sends it at most once. When the connection breaks before the answer, the task fails at once with
    /// <see cref="ChatConnectionClosedException"/>: it is not known whether the player has received the message, so ask the user before
    /// you send it again. A message that is sent while there is no connection goes out on the next one.</para>
    /// </remarks>
    /// <param name="playerId">
    /// The player: <see cref="Member.PlayerId"/> of a room's member, or <see cref="DirectChatReceivedEventArgs.PlayerId"/>.
    /// </param>
    /// <param name="text">1 to 4,000 bytes of UTF-8; see <see cref="ChatRules.IsText"/>.</param>
    /// <param name="cancellationToken">Stops waiting. The message may still be delivered.</param>
    /// <exception cref="ChatErrorException">
    /// The server refused it, for example with <see cref="ErrorCode.PlayerNotConnected"/> or <see cref="ErrorCode.PlayerRefuses"/>.
    /// </exception>
    public Task<SDirectChatRes> SendDirectAsync(long playerId, string text, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(text);
        return SendDirectAsync(new CDirectChatReq { PlayerId = playerId, Text = text }, cancellationToken);
    }

    /// <summary>Says something to one player, as <see cref="SendDirectAsync(long, string, CancellationToken)"/> does.</summary>
    /// <param name="message">
    /// The player's id or name, and the text. Where the server stores direct messages, the client gives it a client_message_id if it has
    /// none. Do not change it before the task has completed.
    /// </param>
    /// <param name="cancellationToken">Stops waiting. The message may still be delivered.</param>
    public Task<SDirectChatRes> SendDirectAsync(CDirectChatReq message, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        if (message.ClientMessageId == 0 && Login is { Server.DirectStored: true })
        {
            message.ClientMessageId = NewClientMessageId();
        }

        return _requests.RequestAsync<CDirectChatReq, SDirectChatRes>(ChatPackets.CDirectChatReq, message, cancellationToken);
    }

    /// <summary>Asks for a page of the player's conversations, the newest first, and for the players that it has blocked.</summary>
    /// <param name="limit">At most so many conversations, 1 to 200; 0, the default, is 200.</param>
    /// <param name="before">Where the page begins: <see cref="SListConversationsRes.Next"/> of the page before, which is not set when
    /// there are no more. <see langword="null"/>, the default, begins with the newest.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    public Task<SListConversationsRes> ListConversationsAsync(
        int limit = 0, ConversationPlace? before = null, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(limit);
        return _requests.RequestAsync<CListConversationsReq, SListConversationsRes>(
            ChatPackets.CListConversationsReq, new CListConversationsReq { Limit = (uint)limit, Before = before }, cancellationToken);
    }

    /// <summary>Reads a page of a conversation.</summary>
    /// <param name="page">Which one, and where the page begins. Do not change it before the task has completed.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    public Task<SDirectHistoryRes> ReadDirectAsync(CDirectHistoryReq page, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(page);
        return _requests.RequestAsync<CDirectHistoryReq, SDirectHistoryRes>(ChatPackets.CDirectHistoryReq, page, cancellationToken);
    }

    /// <summary>Tells the server what the player has read of a conversation.</summary>
    /// <param name="playerId">The other player.</param>
    /// <param name="number">The newest message that was read.</param>
    /// <returns><see langword="false"/> when there is no connection now, or its queue is full.</returns>
    public bool MarkDirectRead(long playerId, long number) =>
        _pending.Connection?.SendPacket(
            new CDirectReadNtf { PlayerId = playerId, Number = number }, type: ChatPackets.CDirectReadNtf) ?? false;

    /// <summary>Blocks a player, or ends a block: its direct messages and invitations are refused.</summary>
    /// <param name="request">The player's id or name; neither only lists. Do not change it before the task has completed.</param>
    /// <param name="cancellationToken">Stops waiting. It may still be done.</param>
    /// <returns>The players that are blocked now.</returns>
    public Task<SBlockPlayerRes> BlockPlayerAsync(CBlockPlayerReq request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        return _requests.RequestAsync<CBlockPlayerReq, SBlockPlayerRes>(ChatPackets.CBlockPlayerReq, request, cancellationToken);
    }

    /// <summary>A number that this client has not used for a message before.</summary>
    public ulong NewClientMessageId()
    {
        ulong id = (ulong)Interlocked.Increment(ref _lastMessageId);
        return id != 0 ? id : NewClientMessageId();
    }

    /// <summary>Reads what was said in a room: the newest messages before a sequence.</summary>
    /// <param name="roomId">A room that the client is in.</param>
    /// <param name="beforeSequence">
    /// Exclusive; the default reads the room's last messages. For the page before this one: the sequence of its first message.
    /// </param>
    /// <param name="limit">At most so many messages, 1 to 200; 0, the default, is 200. Fewer come when they would be long.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <returns>The messages, oldest first; whether there are more before them; whether the page is complete, and where a killed
    /// server may have lost messages (<c>Gaps</c>).</returns>
    public Task<SRoomHistoryRes> ReadHistoryBeforeAsync(
        long roomId, long beforeSequence = long.MaxValue, int limit = 0, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(beforeSequence);
        ArgumentOutOfRangeException.ThrowIfNegative(limit);
        return _requests.RequestAsync<CRoomHistoryReq, SRoomHistoryRes>(
            ChatPackets.CRoomHistoryReq,
            new CRoomHistoryReq { RoomId = roomId, BeforeSequence = beforeSequence, Limit = (uint)limit },
            cancellationToken);
    }

    /// <summary>Reads what was said in a room: the oldest messages after a sequence.</summary>
    /// <param name="roomId">A room that the client is in.</param>
    /// <param name="afterSequence">
    /// Exclusive; 0 reads from the room's beginning. For the page after this one: the sequence of its last message.
    /// </param>
    /// <param name="limit">As for <see cref="ReadHistoryBeforeAsync"/>.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <returns>The messages, oldest first; whether there are more after them; whether the page is complete, and where a killed
    /// server may have lost messages (<c>Gaps</c>).</returns>
    public Task<SRoomHistoryRes> ReadHistoryAfterAsync(
        long roomId, long afterSequence, int limit = 0, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(afterSequence);
        ArgumentOutOfRangeException.ThrowIfNegative(limit);
        return _requests.RequestAsync<CRoomHistoryReq, SRoomHistoryRes>(
            ChatPackets.CRoomHistoryReq,
            new CRoomHistoryReq { RoomId = roomId, AfterSequence = afterSequence, Limit = (uint)limit },
            cancellationToken);
    }

    /// <summary>Searches what players have said in rooms that the player is a member of.</summary>
    /// <param name="words">A message must have all of them. At most 200 bytes of UTF-8.</param>
    /// <param name="roomId">The room; 0, the default, for all of the player's rooms.</param>
    /// <param name="before">The last message of the page before this one; null, the default, begins with the newest message.</param>
    /// <param name="limit">At most so many messages, 1 to 50; 0, the default, is 50. Fewer come when they are long.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <returns>The messages, newest first, and whether there may be more.</returns>
    public Task<SSearchRes> SearchAsync(
        string words, long roomId = 0, SRoomChatNtf? before = null, int limit = 0, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(words);
        ArgumentOutOfRangeException.ThrowIfNegative(limit);
        var request = new CSearchReq
        {
            Words = words,
            RoomId = roomId,
            BeforeRoomId = before?.RoomId ?? 0,
            BeforeSequence = before?.Sequence ?? 0,
            Limit = (uint)limit,
        };
        return _requests.RequestAsync<CSearchReq, SSearchRes>(ChatPackets.CSearchReq, request, cancellationToken);
    }

    /// <summary>Changes the text of a message of one's own.</summary>
    /// <param name="roomId">A room that the client is in.</param>
    /// <param name="sequence">The message.</param>
    /// <param name="text">1 to 4,000 bytes of UTF-8; see <see cref="ChatRules.IsText"/>.</param>
    /// <param name="cancellationToken">Stops waiting. The message may still be changed.</param>
    public Task EditMessageAsync(long roomId, long sequence, string text, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(text);
        return EditAsync(roomId, sequence, text, cancellationToken);
    }

    /// <summary>Deletes a message of one's own; a moderator deletes those of members as well.</summary>
    /// <param name="roomId">A room that the client is in.</param>
    /// <param name="sequence">The message.</param>
    /// <param name="cancellationToken">Stops waiting. The message may still be deleted.</param>
    public Task DeleteMessageAsync(long roomId, long sequence, CancellationToken cancellationToken = default) =>
        EditAsync(roomId, sequence, "", cancellationToken);

    /// <summary>Reacts to a message of a player, or takes that back. What is so already stays so.</summary>
    /// <param name="roomId">A room that the client is in.</param>
    /// <param name="sequence">The message.</param>
    /// <param name="emoji">One emoji; see <see cref="ChatRules.IsReaction"/>.</param>
    /// <param name="remove">Whether to take it back.</param>
    /// <param name="cancellationToken">Stops waiting. It may still be done.</param>
    public Task ReactAsync(
        long roomId, long sequence, string emoji, bool remove = false, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(emoji);
        return _requests.RequestAsync<CReactReq, SReactRes>(
            ChatPackets.CReactReq,
            new CReactReq { RoomId = roomId, Sequence = sequence, Emoji = emoji, Remove = remove },
            cancellationToken);
    }

    /// <summary>Reports a message of another player to the moderators of its room.</summary>
    /// <param name="roomId">A room that the client is in.</param>
    /// <param name="sequence">The message.</param>
    /// <param name="reason">What is wrong with it: 1 to <see cref="ChatLimits.MaxReportBytes"/> bytes of UTF-8.</param>
    /// <param name="cancellationToken">Stops waiting. It may still be done; a second report of the message changes nothing.</param>
    public Task<SReportRes> ReportAsync(long roomId, long sequence, string reason, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(reason);
        return _requests.RequestAsync<CReportReq, SReportRes>(
            ChatPackets.CReportReq, new CReportReq { RoomId = roomId, Sequence = sequence, Reason = reason }, cancellationToken);
    }

    /// <summary>Asks for the open reports of a room that the player moderates, by rising id.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="afterReportId">Only reports with a greater id.</param>
    /// <param name="limit">1 to <see cref="ChatLimits.MaxReportsPerPage"/>; 0 for the most.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    public Task<SListReportsRes> ListReportsAsync(
        long roomId, long afterReportId = 0, int limit = 0, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(limit);
        return _requests.RequestAsync<CListReportsReq, SListReportsRes>(
            ChatPackets.CListReportsReq,
            new CListReportsReq { RoomId = roomId, AfterReportId = afterReportId, Limit = (uint)limit },
            cancellationToken);
    }

    /// <summary>Closes a report of a room that the player moderates.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="reportId">The report.</param>
    /// <param name="note">What the server keeps beside it; may be empty.</param>
    /// <param name="cancellationToken">Stops waiting. It may still be done.</param>
    public Task ResolveReportAsync(long roomId, long reportId, string note = "", CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(note);
        return _requests.RequestAsync<CResolveReportReq, SResolveReportRes>(
            ChatPackets.CResolveReportReq,
            new CResolveReportReq { RoomId = roomId, ReportId = reportId, Note = note },
            cancellationToken);
    }

    /// <summary>Moderates a room: mutes, removes, bans or invites a player, or gives it a role.</summary>
    /// <param name="request">What to do. Do not change it before the task has completed.</param>
    /// <param name="cancellationToken">Stops waiting. It may still be done.</param>
    /// <exception cref="ChatErrorException">The server refused it, for example with <see cref="ErrorCode.Forbidden"/>.</exception>
    public Task<SModerateRes> ModerateAsync(CModerateReq request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        return _requests.RequestAsync<CModerateReq, SModerateRes>(ChatPackets.CModerateReq, request, cancellationToken);
    }

    /// <summary>
    /// Changes the player's password. All other devices of the player are logged out. The client sends it at most once: when the
    /// connection breaks before the answer, it fails with <see cref="ChatConnectionClosedException"/>, and it is unknown which password
    /// counts.
    /// </summary>
    /// <param name="oldPassword">The password; empty if the account has none.</param>
    /// <param name="newPassword">The next one: at most 256 bytes of UTF-8, and as long as the server asks for.</param>
    /// <param name="cancellationToken">Stops waiting. The password may still be changed.</param>
    public async Task ChangePasswordAsync(string oldPassword, string newPassword, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(oldPassword);
        ArgumentNullException.ThrowIfNull(newPassword);
        SChangePasswordRes answer = await _requests.RequestAsync<CChangePasswordReq, SChangePasswordRes>(
            ChatPackets.CChangePasswordReq,
            new CChangePasswordReq { OldPassword = oldPassword, NewPassword = newPassword },
            cancellationToken).ConfigureAwait(false);
        _session.State.ChangePassword(newPassword, answer.LoginToken);
    }

    /// <summary>
    /// Ends the <see cref="SLoginRes.LoginToken"/> of this device on the server. The client stays connected; other clients that share the
    /// token are logged out.
    /// </summary>
    /// <param name="cancellationToken">Stops waiting. The token may still end.</param>
    public async Task ForgetDeviceAsync(CancellationToken cancellationToken = default)
    {
        await EndDeviceAsync(deviceId: 0, cancellationToken).ConfigureAwait(false);
        _session.State.Forget();
    }

    /// <summary>
    /// Asks for the devices on which the player is logged in, in the order of their logins, and then for those that only stay logged in.
    /// </summary>
    /// <param name="cancellationToken">Stops waiting.</param>
    public Task<SListDevicesRes> ListDevicesAsync(CancellationToken cancellationToken = default) =>
        _requests.RequestAsync<CListDevicesReq, SListDevicesRes>(
            ChatPackets.CListDevicesReq, new CListDevicesReq(), cancellationToken);

    /// <summary>Logs out another device of the player. It is no error if the device has gone already.</summary>
    /// <param name="deviceId">The device, from <see cref="ListDevicesAsync"/>.</param>
    /// <param name="cancellationToken">Stops waiting. The device may still be logged out.</param>
    public Task<SEndDeviceRes> EndDeviceAsync(long deviceId, CancellationToken cancellationToken = default) =>
        _requests.RequestAsync<CEndDeviceReq, SEndDeviceRes>(
            ChatPackets.CEndDeviceReq, new CEndDeviceReq { DeviceId = deviceId }, cancellationToken);

    /// <summary>Asks for one page of a room's members, those that are offline included where rooms last, by ascending id.</summary>
    /// <param name="roomId">A room that the client is in.</param>
    /// <param name="afterPlayerId">Only players with a greater id; 0, the default, begins.</param>
    /// <param name="limit">At most so many members, 1 to 200; 0, the default, is 200.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    public Task<SListMembersRes> ListMembersAsync(
        long roomId, long afterPlayerId = 0, int limit = 0, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(limit);
        return _requests.RequestAsync<CListMembersReq, SListMembersRes>(
            ChatPackets.CListMembersReq,
            new CListMembersReq { RoomId = roomId, AfterPlayerId = afterPlayerId, Limit = (uint)limit },
            cancellationToken);
    }

    /// <summary>Tells the server what the player has read. Where rooms last, it is told so at its next login.</summary>
    /// <remarks>There is no answer, and <see cref="DisposeAsync"/> may overtake the mark. Before it, await a request that the room answers
    /// behind the mark, such as <see cref="ListMembersAsync"/>.</remarks>
    /// <param name="roomId">A room that the client is in.</param>
    /// <param name="sequence">The newest message that was read.</param>
    /// <returns><see langword="false"/> when there is no connection now, or its queue is full.</returns>
    public bool MarkRead(long roomId, long sequence) =>
        _pending.Connection?.SendPacket(
            new CReadMarkNtf { RoomId = roomId, Sequence = sequence }, type: ChatPackets.CReadMarkNtf) ?? false;

    /// <summary>Tells the others that the player is writing. Call it every 3 seconds at most while the user types.</summary>
    /// <param name="roomId">A room that the client is in.</param>
    /// <returns><see langword="false"/> when there is no connection now, or its queue is full.</returns>
    public bool SendTyping(long roomId) =>
        _pending.Connection?.SendPacket(new CTypingNtf { RoomId = roomId }, type: ChatPackets.CTypingNtf) ?? false;

    /// <summary>Leaves a room.</summary>
    /// <param name="roomId">A room that the client is in.</param>
    /// <param name="cancellationToken">Stops waiting. The client may still leave the room.</param>
    public Task LeaveRoomAsync(long roomId, CancellationToken cancellationToken = default) =>
        _requests.RequestAsync<CLeaveRoomReq, SLeaveRoomAck>(
            ChatPackets.CLeaveRoomReq, new CLeaveRoomReq { RoomId = roomId }, cancellationToken);

    /// <summary>Has the server send something back: for measuring, or to see whether it is there.</summary>
    /// <param name="payload">At most what fits the server's largest frame; copied.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <returns>The same bytes, from the server.</returns>
    public async Task<ReadOnlyMemory<byte>> EchoAsync(ReadOnlyMemory<byte> payload, CancellationToken cancellationToken = default)
    {
        var request = new CEchoReq { Payload = Google.Protobuf.ByteString.CopyFrom(payload.Span) };
        SEchoRes answer = await _requests.RequestAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, request, cancellationToken)
            .ConfigureAwait(false);
        return answer.Payload.Memory;
    }

    /// <summary>A room that the client is in, as it stands now; null when the client is not in it.</summary>
    public JoinedRoom? FindRoom(long roomId) => _rooms.Find(roomId);

    /// <summary>
    /// Logs out and closes: what was sent goes out, then the link ends, within about 6 seconds even when the server does not answer.
    /// Requests that wait fail
    /// with <see cref="ChatConnectionClosedException"/>. <see cref="Disconnected"/> has been raised when this is done.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        await _session.CloseAsync().ConfigureAwait(false);
        await Closed.ConfigureAwait(false);
        if (_owner is not null)
        {
            await _owner.DisposeAsync().ConfigureAwait(false);
        }
    }

    internal Task OpenAsync(CancellationToken cancellationToken) => _session.OpenAsync(cancellationToken);

    private Task<SEditMessageRes> EditAsync(long roomId, long sequence, string text, CancellationToken cancellationToken) =>
        _requests.RequestAsync<CEditMessageReq, SEditMessageRes>(
            ChatPackets.CEditMessageReq, new CEditMessageReq { RoomId = roomId, Sequence = sequence, Text = text }, cancellationToken);

    private static CRoomChatReq ChatRequest(long roomId, string text, ulong clientMessageId, Activity? span)
    {
        ArgumentNullException.ThrowIfNull(text);
        return new CRoomChatReq
        {
            RoomId = roomId,
            Text = text,
            ClientMessageId = clientMessageId,
            TraceParent = span is { Recorded: true, Id: { } id } ? id : "",
        };
    }
}
