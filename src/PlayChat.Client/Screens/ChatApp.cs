using PlayChat.Core;
using PlayChat.Core.Transport;

namespace PlayChat.Client.Screens;

/// <summary>The way through the client: connect and log in, chat, and from a lost connection back to the beginning.</summary>
internal sealed class ChatApp
{
    private readonly ClientOptions _options;
    private readonly IUserInterface _ui;
    private readonly TimeProvider _time;
    private readonly LoginScreen _login;
    private readonly ChatScreen _chat;
    private bool _wasLoggedIn;
    private int _attempts; // to reconnect, since the last login
    private bool _hasUnsent; // in a session that has ended

    /// <param name="ui">The user; not disposed.</param>
    /// <param name="time">The clock of the times that are shown and of the waits before reconnecting.</param>
    public ChatApp(ClientOptions options, IUserInterface ui, TimeProvider time)
    {
        (_options, _ui, _time) = (options, ui, time);
        var rooms = new OpenRooms(ui);
        _login = new LoginScreen(options, ui, rooms, time);
        _chat = new ChatScreen(ui, rooms, time);
    }

    /// <summary>Runs the client as <see cref="RunAsync(CancellationToken)"/> does, disposes its user interface, and says so if that has
    /// failed.</summary>
    /// <param name="ui">The user; disposed.</param>
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
            while (true)
            {
                if (await TryAsync(cancellationToken) is { } exitCode)
                {
                    return exitCode;
                }
            }
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

        return await AgainAsync(what, mayReconnect, cancellationToken) ? null : ExitCode.Failed;
    }

    /// <summary>Says what happened, and waits, or asks the user.</summary>
    /// <param name="what">The sentence, without its end.</param>
    /// <param name="mayReconnect">False when the user must decide: there was no session yet, or the server ended it for good.</param>
    /// <returns>Whether to connect again.</returns>
    private async Task<bool> AgainAsync(string what, bool mayReconnect, CancellationToken cancellationToken)
    {
        if (_options.Reconnect && mayReconnect && _attempts < _options.ReconnectDelays.Count)
        {
            TimeSpan delay = _options.ReconnectDelays[_attempts++];
            string again = string.Create(
                CultureInfo.InvariantCulture,
                $"{Joined(what)}trying again in {delay.TotalSeconds:0.#} s ({_attempts} of {_options.ReconnectDelays.Count})");
            _ui.Write(new ScreenLine(LineKind.Warning, again));
            await Task.Delay(delay, _time, cancellationToken);
            return true;
        }

        if (!_ui.IsInteractive)
        {
            _ui.Write(new ScreenLine(LineKind.Error, what));
            return false;
        }

        const string Choice = "press Enter or type r to reconnect, q to quit";
        _ui.Write(new ScreenLine(LineKind.Error, $"{Joined(what)}{Choice}"));
        _attempts = 0;
        return await PromptCommands.ChooseAsync(
            _ui, "r or q: ", $"That is no answer: {Choice}.", ["", "R", "Q"], cancellationToken) is "" or "R";
    }

    // What ends with a question mark needs nothing more between it and what to do.
    private static string Joined(string what) => what + (what.EndsWith('?') ? " " : "; ");

    private async Task<int> RunSessionAsync(CancellationToken cancellationToken)
    {
        if (await _login.RunAsync(cancellationToken) is not { } session)
        {
            return _ui.IsInteractive ? ExitCode.Success : ExitCode.Failed;
        }

        await using (session)
        {
            _wasLoggedIn = true;
            _attempts = 0;
            try
            {
                await _chat.RunAsync(session, cancellationToken);
                return _hasUnsent || session.HasUnsent || _chat.IsRefused ? ExitCode.Failed : ExitCode.Success;
            }
            finally
            {
                _hasUnsent |= session.HasUnsent;
            }
        }
    }
}
