using Microsoft.Extensions.Hosting;
using PlayChat.Cluster.Directory;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;
using PlayChat.Server.Cluster;
using PlayChat.Server.Configuration;
using PlayChat.Server.Operations.Admin.Models;
using PlayChat.Server.Replies;
using PlayChat.Storage;

namespace PlayChat.Server.Operations.Admin;

/// <summary>What an operator does with sessions: closes them, tells them something, and drains the server.</summary>
internal sealed class SessionActions(
    PlayChatServer server,
    ServerSettings settings,
    SessionReader sessions,
    RoomReader rooms,
    IHostApplicationLifetime lifetime,
    IChatStore? store = null,
    ClusterPlayers? cluster = null)
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

    /// <summary>Tells a session something.</summary>
    /// <exception cref="AdminException">There is no such session, it is away, or the message is invalid.</exception>
    public ActionResult NotifySession(long id, string? message)
    {
        string sentence = CheckNotice(message);
        Session session = sessions.Get(id);
        return session.IsAway || !OperatorNotices.Tell(session, sentence)
            ? throw AdminException.Conflict($"Session {id} is not connected, or does not read.")
            : new ActionResult($"Session {id} was told.", 1);
    }

    /// <summary>Tells the members of a room something, on all nodes of a cluster.</summary>
    /// <exception cref="AdminException">
    /// There is no such room, the message is invalid, or the log does not take it for the other nodes.
    /// </exception>
    public async Task<ActionResult> NotifyRoomAsync(long id, string? message, CancellationToken cancellationToken)
    {
        string sentence = CheckNotice(message);
        bool isElsewhere = cluster is not null
            && server.Rooms.Find(id) is null
            && await AskAsync(cluster.HasMembersAsync(id, cancellationToken));
        if (!isElsewhere)
        {
            rooms.Get(id); // throws where there is none
        }

        int told = await TellAsync(id, sentence, cancellationToken);
        return new ActionResult($"{told:N0} members of room {id} were told.{OtherNodes}", told);
    }

    /// <summary>Tells all players something, on all nodes of a cluster.</summary>
    /// <exception cref="AdminException">The message is invalid, or the log does not take it for the other nodes.</exception>
    public async Task<ActionResult> NotifyAllAsync(string? message, CancellationToken cancellationToken)
    {
        int told = await TellAsync(roomId: 0, CheckNotice(message), cancellationToken);
        return new ActionResult($"{told:N0} sessions were told.{OtherNodes}", told);
    }

    /// <summary>Ends the session of a player, on whichever node it is. The player may log in again.</summary>
    /// <exception cref="AdminException">There is no such player, it has no session, or the message is invalid.</exception>
    public async Task<ActionResult> ClosePlayerAsync(string name, string? message, CancellationToken cancellationToken)
    {
        string sentence = string.IsNullOrWhiteSpace(message) ? "" : CheckMessage(message);
        (Session? here, SessionPlace there) = await FindPlayerAsync(name, cancellationToken);
        if (here is not null)
        {
            return await CloseAsync(here.Id, sentence);
        }

        await AskAsync(cluster!.CloseAsync(there, sentence, cancellationToken));
        return new ActionResult($"Node {there.Node.NodeId} closes the session of {name}.", 1);
    }

    /// <summary>Tells a player something, on whichever node its session is.</summary>
    /// <exception cref="AdminException">There is no such player, it has no session, or the message is invalid.</exception>
    public async Task<ActionResult> NotifyPlayerAsync(string name, string? message, CancellationToken cancellationToken)
    {
        string sentence = CheckNotice(message);
        (Session? here, SessionPlace there) = await FindPlayerAsync(name, cancellationToken);
        if (here is not null)
        {
            return NotifySession(here.Id, sentence);
        }

        await AskAsync(cluster!.TellAsync(there, sentence, cancellationToken));
        return new ActionResult($"Node {there.Node.NodeId} tells {name}.", 1);
    }

    /// <summary>Stops the server in order, as SIGTERM does: clients are asked to come back, and the process ends.</summary>
    public ActionResult Drain()
    {
        int count = server.Sessions.Count;
        lifetime.StopApplication();
        return new ActionResult($"The server drains {count:N0} sessions and stops.", count);
    }

    private string OtherNodes => cluster is null ? "" : " The other nodes of the cluster tell theirs.";

    /// <summary>Finds the session of a player, on this node or another.</summary>
    private async Task<(Session? Here, SessionPlace There)> FindPlayerAsync(string name, CancellationToken cancellationToken)
    {
        if (store is null)
        {
            throw AdminException.Conflict("Only a server in chat mode has players.");
        }

        Account account = await store.FindAccountAsync(name, cancellationToken)
            ?? throw AdminException.NotFound($"There is no account '{name}'.");
        if (server.Sessions.FindUser(account.Name) is { } here)
        {
            return (here, default);
        }

        return cluster is not null && await AskAsync(cluster.FindSessionAsync(account.Id, cancellationToken)) is { } there
            ? (null, there)
            : throw AdminException.NotFound($"{account.Name} is not logged in.");
    }

    /// <summary>Tells all players something, or the members of a room.</summary>
    /// <returns>The number of sessions of this server that were told.</returns>
    private Task<int> TellAsync(long roomId, string message, CancellationToken cancellationToken) => cluster is null
        ? Task.FromResult(OperatorNotices.Tell(server.Sessions, roomId, message))
        : AskAsync(cluster.TellAsync(roomId, message, cancellationToken));

    private static async Task<T> AskAsync<T>(Task<T> asking)
    {
        await AskAsync((Task)asking);
        return await asking;
    }

    private static async Task AskAsync(Task asking)
    {
        try
        {
            await asking;
        }
        catch (ClusterDirectoryException e)
        {
            throw AdminException.Unavailable(e.Message);
        }
    }

    private string CheckNotice(string? message) => settings.Mode == ServerMode.Chat
        ? CheckMessage(message)
        : throw AdminException.Conflict("Only a server in chat mode can send notices.");

    private static string CheckMessage(string? message) =>
        !string.IsNullOrWhiteSpace(message) && message.Length <= MaxMessageChars && !message.Any(char.IsControl)
            ? message.Trim()
            : throw AdminException.Invalid($"The message is invalid; it takes 1 to {MaxMessageChars} characters without line breaks.");
}
