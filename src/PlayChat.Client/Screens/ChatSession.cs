using PlayChat.Core;

namespace PlayChat.Client.Screens;

internal sealed class ChatSession : IAsyncDisposable
{
    private readonly IUserInterface _ui;

    private ChatSession(ChatClient client, IUserInterface ui, OpenRooms rooms, TimeProvider time, CancellationToken stop)
    {
        (Client, _ui, Stop) = (client, ui, stop);
        Feed = new RoomFeed(client, ui, rooms, time);
        Rooms = new RoomDirectory(client, stop);
        Direct = new DirectMessages(this, ui, time);
        Moderation = new RoomModeration(this);
    }

    public ChatClient Client { get; }

    public CancellationToken Stop { get; }

    public RoomFeed Feed { get; }

    public RoomDirectory Rooms { get; }

    public DirectMessages Direct { get; }

    public RoomModeration Moderation { get; }

    /// <summary>Whether a script has said something that was not sent.</summary>
    public bool HasUnsent { get; private set; }

    /// <param name="cancellationToken">Ends also what the session does later.</param>
    /// <exception cref="Core.Transport.ConnectFailedException">There is no such server; the message says why.</exception>
    public static async Task<ChatSession> ConnectAsync(
        ClientOptions options, IUserInterface ui, OpenRooms rooms, TimeProvider time, CancellationToken cancellationToken)
    {
        ChatClientOptions settings = options.ToChatClientOptions(ui.IsInteractive);
        ChatClient client = await (options.Url is { } url
            ? ChatClient.ConnectAsync(url, settings, cancellationToken)
            : ChatClient.ConnectAsync(options.Nodes, settings, cancellationToken));
        return new ChatSession(client, ui, rooms, time, cancellationToken);
    }

    /// <summary>Does something, and tells why it failed if that concerns it alone.</summary>
    /// <returns>Whether it was done.</returns>
    public static async Task<bool> TryAsync(Func<Task> action, Action<string> tell)
    {
        try
        {
            await action();
            return true;
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException or ArgumentException or FormatException
            or ChatConnectionClosedException) // of one request: the client may be back
        {
            tell(e is ChatConnectionClosedException ? "The connection broke; it is not known whether this was done." : e.Message);
            return false;
        }
    }

    /// <summary>Tells that something was not sent; to a script as an error.</summary>
    public void TellUnsent(string why)
    {
        HasUnsent |= !_ui.IsInteractive;
        _ui.Write(_ui.IsInteractive ? LineKind.Warning : LineKind.Error, why);
    }

    public void Tell(string text) => _ui.Write(LineKind.Info, text);

    /// <summary>Tells a table, whose first row has the headings.</summary>
    public void TellTable(IEnumerable<IReadOnlyList<string>> rows) => LineFormat.Table(rows).ToList().ForEach(line => _ui.Write(line));

    /// <summary>Asks for what the screen does not show.</summary>
    /// <returns><see langword="null"/> when there is no answer.</returns>
    public Task<string?> AskSecretAsync(string label) => _ui.ReadLineAsync(new InputPrompt(label, IsSecret: true), Stop);

    /// <summary>Sends, and sends again what the server refuses only for the moment. A person is soon told; a script has time.</summary>
    /// <exception cref="ChatErrorException">The server refuses for another reason, or still.</exception>
    public async Task SendAsync(Func<Task> send)
    {
        TimeSpan most = _ui.IsInteractive ? TimeSpan.FromSeconds(10) : TimeSpan.FromMinutes(1);
        long began = TimeProvider.System.GetTimestamp();
        while (true)
        {
            try
            {
                await send();
                return;
            }
            catch (ChatErrorException e) when (
                e.Code is ErrorCode.RateLimited or ErrorCode.ServerBusy or ErrorCode.StorageUnavailable
                && TimeProvider.System.GetElapsedTime(began) + WaitAfter(e) <= most)
            {
                await Task.Delay(WaitAfter(e), TimeProvider.System, Stop);
            }
        }
    }

    public ValueTask DisposeAsync() => Client.DisposeAsync();

    private static TimeSpan WaitAfter(ChatErrorException refusal) => refusal.RetryAfter == TimeSpan.Zero ? TimeSpan.FromSeconds(1)
        : TimeSpan.FromMilliseconds(Math.Max(refusal.RetryAfter.TotalMilliseconds, 10));
}

internal static class CloseWords
{
    /// <summary>The server's own sentence, or ours about what this side found.</summary>
    public static string Describe(ChatConnectionClosedException closed) => closed.ServerMessage ?? closed.Reason switch
    {
        CloseReason.PeerClosed => "the server closed the connection",
        CloseReason.PeerReset => "the server went away",
        CloseReason.IdleTimeout => "the server did not answer for too long",
        CloseReason.ProtocolViolation or CloseReason.FrameTooLarge or CloseReason.UnknownPacket =>
            "the client and the server use different protocols; check that this is a PlayChat server of the same version",
        CloseReason.TlsFailed => "the encryption of the connection failed",
        _ => "it broke",
    };
}
