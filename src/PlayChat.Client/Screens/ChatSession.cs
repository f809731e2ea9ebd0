using PlayChat.Client.Cli;
using PlayChat.Client.Interaction;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>One connection, and the user in front of it.</summary>
internal sealed class ChatSession : IAsyncDisposable
{
    private const int PageMessages = 20;

    private readonly IUserInterface _ui;

    private ChatSession(ChatClient client, IUserInterface ui, TimeProvider time, RoomFeed feed)
    {
        Client = client;
        _ui = ui;
        Feed = feed;
        Rooms = new RoomDirectory(client);
        Direct = new DirectMessages(client, ui, time, feed.Players, TellUnsent);
    }

    public ChatClient Client { get; }

    public RoomFeed Feed { get; }

    public RoomDirectory Rooms { get; }

    public DirectMessages Direct { get; }

    /// <summary>Whether a script has said something that was not sent.</summary>
    public bool HasUnsent { get; private set; }

    /// <summary>Connects.</summary>
    /// <exception cref="Core.Transport.ConnectFailedException">There is no such server; the message says why.</exception>
    public static async Task<ChatSession> ConnectAsync(
        ClientOptions options, IUserInterface ui, TimeProvider time, CancellationToken cancellationToken)
    {
        ChatClientOptions settings = options.ToChatClientOptions(ui.IsInteractive);
        ChatClient client = await (options.Url is { } url
            ? ChatClient.ConnectAsync(url, settings, cancellationToken)
            : options.Nodes.Count > 0
            ? ChatClient.ConnectAsync(options.Nodes, settings, cancellationToken)
            : ChatClient.ConnectAsync(options.Host, options.Port, settings, cancellationToken));
        var feed = new RoomFeed(ui, time);
        feed.Attach(client);
        return new ChatSession(client, ui, time, feed);
    }

    /// <summary>Tells that something was not sent; to a script as an error.</summary>
    public void TellUnsent(string why)
    {
        HasUnsent |= !_ui.IsInteractive;
        _ui.Write(new ScreenLine(_ui.IsInteractive ? LineKind.Warning : LineKind.Error, why));
    }

    /// <summary>Asks the user for a line as long as the connection stands.</summary>
    /// <returns>Null at the end of the input.</returns>
    /// <exception cref="ChatConnectionClosedException">The connection ended meanwhile.</exception>
    public async Task<string?> AskAsync(InputPrompt prompt, CancellationToken cancellationToken)
    {
        using var reading = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task<string?> line = _ui.ReadLineAsync(prompt, reading.Token);
        if (await Task.WhenAny(line, Client.Closed) == line)
        {
            return await line;
        }

        await reading.CancelAsync();
        try
        {
            await line;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // The question was taken back, just now.
        }

        ChatDisconnectedEventArgs end = await Client.Closed;
        throw new ChatConnectionClosedException(end.Reason, end.ServerMessage);
    }

    /// <summary>Whether the history that came with a room begins behind messages that the user has not seen.</summary>
    /// <param name="room">The room, entered again.</param>
    /// <param name="seenUpTo">The last sequence that the user has seen.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ChatConnectionClosedException">The connection ended.</exception>
    public async Task<bool> HasUnseenBeforeAsync(RoomEntry room, long seenUpTo, CancellationToken cancellationToken)
    {
        if (room.History.Count == 0 || room.History[0].Sequence <= seenUpTo + 1)
        {
            return false;
        }

        try
        {
            // Sequences do not tell: joins have some as well, and in a cluster they have steps of any size.
            SRoomHistoryRes page = await Client.ReadHistoryBeforeAsync(
                room.Id, room.History[0].Sequence, PageMessages, cancellationToken);
            SRoomChatNtf[] unseen = [.. page.Messages.Where(message => message.Sequence > seenUpTo)];
            return !page.Complete
                || unseen.Any(static message => !message.System)
                || (page.More && unseen.Length == page.Messages.Count);
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException)
        {
            return true;
        }
    }

    public ValueTask DisposeAsync() => Client.DisposeAsync();
}
