using PlayChat.Chat.Extensions;
using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Chat.Places;
using PlayChat.Chat.Rooms;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>What an operator does with sessions: closes them, tells them something, and drains the server.</summary>
internal sealed class SessionActions(
    PlayChatServer server,
    ServerSettings settings,
    SessionReader sessions,
    RoomReader rooms,
    IHostApplicationLifetime lifetime,
    IPlayers players,
    IChatStore? store = null,
    RoomArchive? archive = null,
    IChatRooms? chat = null)
{
    private const int MaxMessageChars = 500;

    /// <summary>Ends a session, connected or away. Its player may log in again.</summary>
    /// <exception cref="AdminException">There is no such session, or the message is invalid.</exception>
    public async Task<ActionResult> CloseAsync(long id, string? message)
    {
        string? sentence = string.IsNullOrWhiteSpace(message) ? null : CheckMessage(message);
        await OperatorNotices.CloseAsync(
            server.Sessions, sessions.Get(id), settings.Mode == ServerMode.Chat ? sentence ?? "" : null);
        return new ActionResult($"Session {id} was closed.", 1);
    }

    /// <exception cref="AdminException">There is no such session, it is away, or the message is invalid.</exception>
    public ActionResult NotifySession(long id, string? message)
    {
        string sentence = CheckNotice(message);
        Session session = sessions.Get(id);
        return session.IsAway || !OperatorNotices.Tell(session, sentence)
            ? throw AdminException.Conflict($"Session {id} is not connected, or does not read. Try again later.")
            : new ActionResult($"Session {id} was told.", 1);
    }

    /// <summary>Tells the members of a room something, on all nodes of a cluster.</summary>
    /// <exception cref="AdminException">
    /// There is no such room, the message is invalid, or the log does not take it for the other nodes.
    /// </exception>
    public async Task<ActionResult> NotifyRoomAsync(long id, string? message, CancellationToken cancellationToken)
    {
        string sentence = CheckNotice(message);
        bool isElsewhere = server.Rooms.Find(id) is null
            && await AskAsync(players.HasMembersElsewhereAsync(id, cancellationToken));
        if (!isElsewhere)
        {
            rooms.Get(id); // throws where there is none
        }

        int told = await AskAsync(players.TellAsync(id, sentence, cancellationToken));
        return new ActionResult($"{told:N0} members of room {id} were told.{OtherNodes}", told);
    }

    /// <summary>Says something in a chat room, in the name of an account.</summary>
    /// <exception cref="AdminException">There is no such room here, name or text are invalid, or the chat does not take it now.</exception>
    public async Task<ActionResult> SayAsync(long id, MessageRequest message, CancellationToken cancellationToken)
    {
        if (chat is null)
        {
            throw NoChatRoom(id);
        }

        return await chat.SayAsync(id, message.Player ?? "", message.Text ?? "", message.MessageId, cancellationToken) switch
        {
            ChatSayResult.Said => new ActionResult($"It was said in room {id}.", 1),
            ChatSayResult.NoSuchRoom => throw NoChatRoom(id),
            ChatSayResult.TextInvalid => throw AdminException.Invalid(ChatText.Invalid),
            ChatSayResult.NameInvalid => throw AdminException.Invalid($"No account may have the name '{message.Player}'. Choose another."),
            _ => throw AdminException.Unavailable("The chat does not take messages now. Try again later, with the same messageId."),
        };
    }

    /// <summary>Removes a chat room that has no members. What was said in it stays stored.</summary>
    /// <exception cref="AdminException">There is no such room, or it has members.</exception>
    public async Task<ActionResult> RemoveRoomAsync(long id, CancellationToken cancellationToken)
    {
        int? members = server.Rooms.Find(id) is ChatRoom room ? await room.CloseIfEmptyAsync(cancellationToken) : null;
        if (members > 0)
        {
            throw AdminException.Conflict($"Room {id} has {members:N0} members. Remove it when they have left.");
        }

        if (players.AreElsewhere && await AskAsync(players.HasMembersElsewhereAsync(id, cancellationToken)))
        {
            throw AdminException.Conflict($"Room {id} has members on other nodes. Remove it when they have left.");
        }

        return archive?.TryRemoveAsleep(id) == true
            || (archive is not null && await archive.TryRemoveSharedAsync(id, cancellationToken))
            || members == 0
                ? new ActionResult($"Room {id} was removed.", 1)
                : throw NoChatRoom(id);
    }

    /// <summary>Tells all players something, on all nodes of a cluster.</summary>
    /// <exception cref="AdminException">The message is invalid, or the log does not take it for the other nodes.</exception>
    public async Task<ActionResult> NotifyAllAsync(string? message, CancellationToken cancellationToken)
    {
        int told = await AskAsync(players.TellAsync(roomId: 0, CheckNotice(message), cancellationToken));
        return new ActionResult($"{told:N0} sessions were told.{OtherNodes}", told);
    }

    /// <summary>Ends the sessions of a player, on all its devices and on whichever node it is. The player may log in again.</summary>
    /// <exception cref="AdminException">There is no such player, it has no session, or the message is invalid.</exception>
    public async Task<ActionResult> ClosePlayerAsync(string name, string? message, CancellationToken cancellationToken)
    {
        string sentence = string.IsNullOrWhiteSpace(message) ? "" : CheckMessage(message);
        Account account = await FindAccountAsync(name, cancellationToken);
        IReadOnlyList<Session> here = server.Sessions.FindAllOfUser(account.Name);
        foreach (Session session in here)
        {
            await OperatorNotices.CloseAsync(server.Sessions, session, sentence);
        }

        IReadOnlyList<int> there = await AskAsync(players.CloseElsewhereAsync(account.Id, 0, sentence, cancellationToken));
        return Describe(account, here, "closed", there, "closes the sessions of");
    }

    /// <summary>Tells a player something, on whichever node its session is.</summary>
    /// <exception cref="AdminException">There is no such player, it has no session, or the message is invalid.</exception>
    public async Task<ActionResult> NotifyPlayerAsync(string name, string? message, CancellationToken cancellationToken)
    {
        string sentence = CheckNotice(message);
        Account account = await FindAccountAsync(name, cancellationToken);
        IReadOnlyList<Session> here = server.Sessions.FindAllOfUser(account.Name);
        Session[] told = [.. here.Where(session => !session.IsAway && OperatorNotices.Tell(session, sentence))];
        IReadOnlyList<int> there = await AskAsync(players.TellElsewhereAsync(account.Id, sentence, cancellationToken));
        return told.Length == 0 && there.Count == 0 && here.Count > 0
            ? throw AdminException.Conflict($"{account.Name} is not connected, or does not read. Try again later.")
            : Describe(account, told, "told", there, "tells");
    }

    /// <summary>Stops the server in order, as SIGTERM does: clients are asked to come back, and the process ends.</summary>
    public ActionResult Drain()
    {
        int count = server.Sessions.Count;
        lifetime.StopApplication();
        return new ActionResult($"The server drains {count:N0} sessions and stops.", count);
    }

    private static ActionResult Describe(
        Account account, IReadOnlyList<Session> here, string done, IReadOnlyList<int> there, string does)
    {
        string[] sentences =
        [
            .. here.Count > 0 ? [$"{Sessions(here)} {done}."] : Array.Empty<string>(),
            .. there.Select(node => $"Node {node} {does} {account.Name}."),
        ];
        return sentences.Length > 0
            ? new ActionResult(string.Join(' ', sentences), here.Count + there.Count)
            : throw AdminException.NotFound($"{account.Name} is not logged in. List the sessions to see who is.");
    }

    private static string Sessions(IReadOnlyList<Session> sessions) => sessions.Count == 1 ? $"Session {sessions[0].Id} was"
        : $"Sessions {string.Join(", ", sessions.Select(static session => session.Id))} were";

    private string OtherNodes => !players.AreElsewhere ? "" : " The other nodes of the cluster tell theirs.";

    private async Task<Account> FindAccountAsync(string name, CancellationToken cancellationToken) => store is null
        ? throw AdminException.Conflict("Only a server in chat mode has players. Set Mode to Chat, and restart it.")
        : await store.FindAccountAsync(name, cancellationToken) ?? throw AdminException.NotFound(AccountEditor.NoSuchAccount(name));

    private static AdminException NoChatRoom(long id) =>
        AdminException.NotFound($"There is no chat room {id}. List the rooms to see which there are.");

    private static async Task<T> AskAsync<T>(Task<T> asking)
    {
        try
        {
            return await asking;
        }
        catch (ClusterDirectoryException e)
        {
            throw AdminException.Unavailable(e.Message);
        }
    }

    private string CheckNotice(string? message) => settings.Mode == ServerMode.Chat
        ? CheckMessage(message)
        : throw AdminException.Conflict("Only a server in chat mode can send notices. Set Mode to Chat, and restart it.");

    private static string CheckMessage(string? message) =>
        !string.IsNullOrWhiteSpace(message) && message.Length <= MaxMessageChars && !message.Any(char.IsControl)
            ? message.Trim()
            : throw AdminException.Invalid($"The message is invalid; it takes 1 to {MaxMessageChars} characters without line breaks.");
}
