using PlayChat.Client.Cli;
using PlayChat.Client.Interaction;
using PlayChat.Core;
using PlayChat.Core.Transport;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>The way through the client: connect and log in, menu, room, and from a lost connection back to the beginning.</summary>
internal sealed class ChatApp
{
    private readonly ClientOptions _options;
    private readonly IUserInterface _ui;
    private readonly LoginScreen _login;
    private readonly MenuScreen _menu;
    private readonly RoomScreen _room;
    private readonly RoomsScreen? _rooms;
    private readonly ReconnectScreen _reconnect;
    private RoomEntry? _lostRoom;
    private bool _wasLoggedIn;
    private bool _hasUnsent; // in a session that has ended

    /// <param name="options">What the command line says.</param>
    /// <param name="ui">The user; not disposed.</param>
    /// <param name="time">The clock of the times that are shown and of the waits before reconnecting.</param>
    public ChatApp(ClientOptions options, IUserInterface ui, TimeProvider time)
    {
        _options = options;
        _ui = ui;
        _login = new LoginScreen(options, ui, time);
        _menu = new MenuScreen(ui);
        _room = new RoomScreen(ui, _menu);
        _rooms = ui is IRoomsUserInterface rooms ? new RoomsScreen(rooms, time) : null;
        _reconnect = new ReconnectScreen(options, ui, time);
    }

    /// <summary>Runs the client as <see cref="RunAsync(CancellationToken)"/> does, disposes its user interface, and says so if that has
    /// failed.</summary>
    /// <param name="options">What the command line says.</param>
    /// <param name="ui">The user; disposed.</param>
    /// <param name="time">The client's clock.</param>
    /// <param name="errors">Gets the line about a failed user interface.</param>
    /// <param name="cancellationToken">Ends the client; that is no exception.</param>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public static async Task<int> RunAsync(
        ClientOptions options, IUserInterface ui, TimeProvider time, TextWriter errors, CancellationToken cancellationToken)
    {
        try
        {
            await using (ui)
            {
                return await new ChatApp(options, ui, time).RunAsync(cancellationToken);
            }
        }
        catch (UserInterfaceFailedException e)
        {
            await errors.WriteLineAsync(e.Message);
            return ExitCode.Failed;
        }
    }

    /// <summary>Runs until the user, the input or the cancellation ends it; that is no exception.</summary>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public async Task<int> RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            int? exitCode;
            do
            {
                exitCode = await TryAsync(cancellationToken);
            }
            while (exitCode is null);
            return exitCode.Value;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return ExitCode.Success;
        }
    }

    /// <returns>Null to connect again.</returns>
    private async Task<int?> TryAsync(CancellationToken cancellationToken)
    {
        string what;
        bool mayReconnect = _wasLoggedIn;
        try
        {
            return await RunSessionAsync(cancellationToken);
        }
        catch (ConnectFailedException e)
        {
            what = e.Message.TrimEnd('.');
        }
        catch (ChatConnectionClosedException e)
        {
            what = $"{(e.Reason == CloseReason.LocalClose ? "Session ended" : "Connection lost")}: {CloseWords.Describe(e).TrimEnd('.')}";
            mayReconnect = _wasLoggedIn && CloseAdvices.Of(e.Reason) != CloseAdvice.DoNotReconnect;
        }

        return await _reconnect.AgainAsync(what, mayReconnect, cancellationToken) ? null : ExitCode.Failed;
    }

    private async Task<int> RunSessionAsync(CancellationToken cancellationToken)
    {
        LoginOutcome login = await _login.RunAsync(cancellationToken);
        if (login.Session is not { } session)
        {
            return login.ExitCode;
        }

        await using (session)
        {
            _wasLoggedIn = true;
            _reconnect.Succeeded();
            try
            {
                int exitCode = await TalkAsync(session, cancellationToken);
                return _hasUnsent || session.HasUnsent ? ExitCode.Failed : exitCode;
            }
            finally
            {
                _hasUnsent |= session.HasUnsent;
            }
        }
    }

    private async Task<int> TalkAsync(ChatSession session, CancellationToken cancellationToken)
    {
        if (_rooms is not null)
        {
            await _rooms.RunAsync(session, cancellationToken);
            return ExitCode.Success;
        }

        if (!await AskReturnAsync(session, cancellationToken))
        {
            return ExitCode.Success;
        }

        RoomEntry? room = await ReturnToRoomAsync(session, cancellationToken);
        while (true)
        {
            room ??= await _menu.RunAsync(session, cancellationToken);
            if (room is null)
            {
                return _menu.IsRefused ? ExitCode.Failed : ExitCode.Success;
            }

            // Kept until it was left in order: what comes after a lost connection begins there.
            _lostRoom = room;
            RoomExit exit;
            try
            {
                exit = await _room.RunAsync(session, room, cancellationToken);
            }
            catch (ChatConnectionClosedException)
            {
                _lostRoom = room with { SeenUpTo = session.Client.FindRoom(room.Id)?.LatestSequence ?? room.LatestSequence };
                throw;
            }

            _lostRoom = null;
            if (exit.Quits)
            {
                return exit.IsRefused ? ExitCode.Failed : ExitCode.Success;
            }

            room = exit.NextRoom;
        }
    }

    /// <summary>Asks whether to go back to the room in which the connection broke, and forgets the room when the answer is no.</summary>
    /// <returns>False when the user ends the program instead.</returns>
    private async Task<bool> AskReturnAsync(ChatSession session, CancellationToken cancellationToken)
    {
        while (_lostRoom is { } room && !_options.Reconnect)
        {
            string? answer = await session.AskAsync(
                new InputPrompt($"Back into room {room.Id}, {room.Name}? [Y/n] "), cancellationToken);
            if (PromptCommands.Ends(answer))
            {
                return false;
            }

            switch (answer.Trim().ToUpperInvariant())
            {
                case "" or "Y" or "YES":
                    return true;
                case "N" or "NO":
                    _lostRoom = null;
                    break;
                default:
                    _ui.Write(new ScreenLine(LineKind.Warning, $"Press Enter or type y for yes, n for no. {PromptCommands.Hint}"));
                    break;
            }
        }

        return true;
    }

    private async Task<RoomEntry?> ReturnToRoomAsync(ChatSession session, CancellationToken cancellationToken)
    {
        if (_lostRoom is not { } room)
        {
            return null;
        }

        RoomEntry? entered = await _menu.EnterAsync(session, room.Id, cancellationToken);
        entered = entered?.LatestSequence >= room.SeenUpTo ? entered with { SeenUpTo = room.SeenUpTo } : entered;
        _lostRoom = entered;
        return entered;
    }
}
