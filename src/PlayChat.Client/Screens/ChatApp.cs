using PlayChat.Core;
using PlayChat.Core.Transport;

namespace PlayChat.Client.Screens;

/// <summary>The way through the client: connect and log in, chat, and from a lost connection back to the beginning.</summary>
internal sealed class ChatApp
{
    private readonly ClientOptions _options;
    private readonly IUserInterface _ui;
    private readonly TimeProvider _time;
    private readonly OpenRooms _rooms;
    private readonly LoginScreen _login;
    private bool _wasLoggedIn;
    private int _attempts; // to reconnect, since the last login
    private bool _hasUnsent; // in a session that has ended

    /// <param name="ui">The user; not disposed.</param>
    /// <param name="time">The clock of the times that are shown and of the waits before reconnecting.</param>
    public ChatApp(ClientOptions options, IUserInterface ui, TimeProvider time)
    {
        (_options, _ui, _time) = (options, ui, time);
        _rooms = new OpenRooms(ui);
        _login = new LoginScreen(options, ui, _rooms, time);
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
                string what;
                bool mayReconnect = _wasLoggedIn; // without a session before it, the user decides
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
                    string end = e.Reason == CloseReason.LocalClose ? "Session ended" : "Connection lost";
                    what = $"{end}: {CloseWords.Describe(e).TrimEnd('.')}";
                    mayReconnect = _wasLoggedIn && CloseAdvices.Of(e.Reason) != CloseAdvice.DoNotReconnect;
                }

                if (!await AgainAsync(what, mayReconnect, cancellationToken))
                {
                    return ExitCode.Failed;
                }
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return ExitCode.Success;
        }
    }

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
            var chat = new ChatScreen(session, _ui, _rooms, _time);
            try
            {
                await chat.RunAsync();
            }
            catch (ChatConnectionClosedException) when (chat.IsRefused)
            {
                // The script ends here anyway.
            }
            finally
            {
                _hasUnsent |= session.HasUnsent;
            }

            return _hasUnsent || chat.IsRefused ? ExitCode.Failed : ExitCode.Success;
        }
    }

    private async Task<bool> AgainAsync(string what, bool mayReconnect, CancellationToken cancellationToken)
    {
        if (_options.Reconnect && mayReconnect && _attempts < _options.ReconnectDelays.Count)
        {
            TimeSpan delay = _options.ReconnectDelays[_attempts++];
            string again = string.Create(
                CultureInfo.InvariantCulture,
                $"{Joined(what)}trying again in {delay.TotalSeconds:0.#} s ({_attempts} of {_options.ReconnectDelays.Count})");
            _ui.Write(LineKind.Warning, again);
            await Task.Delay(delay, _time, cancellationToken);
            return true;
        }

        const string Choice = "press Enter or type r to reconnect, q to quit";
        _ui.Write(LineKind.Error, _ui.IsInteractive ? Joined(what) + Choice : what);
        _attempts = 0;
        return _ui.IsInteractive && await PromptCommands.ChooseAsync(
            _ui, "r or q: ", $"That is no answer: {Choice}.", ["", "R", "Q"], cancellationToken) is "" or "R";
    }

    // What ends with a question mark needs nothing more between it and what to do.
    private static string Joined(string what) => what + (what.EndsWith('?') ? " " : "; ");
}
