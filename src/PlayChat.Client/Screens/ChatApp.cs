using PlayChat.Core;
using PlayChat.Core.Transport;

namespace PlayChat.Client.Screens;

/// <summary>The way through the client: connect and log in, chat, and from a lost connection back to the beginning.</summary>
/// <param name="ui">The user; not disposed.</param>
/// <param name="time">The clock of the times that are shown and of the waits before reconnecting.</param>
internal sealed class ChatApp(ClientOptions options, IUserInterface ui, TimeProvider time)
{
    private readonly OpenRooms _rooms = new(ui);
    private bool _wasLoggedIn;
    private int _attempts; // to reconnect, since the last login
    private bool _hasUnsent; // in a session that has ended

    /// <summary>Runs the client as <see cref="RunAsync(CancellationToken)"/> does, disposes its user interface, and says so if that has
    /// failed.</summary>
    /// <param name="ui">The user; disposed.</param>
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
        var login = new LoginScreen(options, ui, _rooms, time);
        try
        {
            while (true)
            {
                string what;
                bool mayReconnect = _wasLoggedIn; // without a session before it, the user decides
                try
                {
                    return await RunSessionAsync(login, cancellationToken);
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

    private async Task<int> RunSessionAsync(LoginScreen login, CancellationToken cancellationToken)
    {
        if (await login.RunAsync(cancellationToken) is not { } session)
        {
            return ui.IsInteractive ? ExitCode.Success : ExitCode.Failed;
        }

        await using (session)
        {
            _wasLoggedIn = true;
            _attempts = 0;
            var chat = new ChatScreen(session, ui, _rooms, time);
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
        if (options.Reconnect && mayReconnect && _attempts < options.ReconnectDelays.Count)
        {
            TimeSpan delay = options.ReconnectDelays[_attempts++];
            string again = string.Create(
                CultureInfo.InvariantCulture,
                $"{Joined(what)}trying again in {delay.TotalSeconds:0.#} s ({_attempts} of {options.ReconnectDelays.Count})");
            ui.Write(LineKind.Warning, again);
            await Task.Delay(delay, time, cancellationToken);
            return true;
        }

        const string Choice = "press Enter or type r to reconnect, q to quit";
        ui.Write(LineKind.Error, ui.IsInteractive ? Joined(what) + Choice : what);
        _attempts = 0;
        return ui.IsInteractive && await PromptCommands.ChooseAsync(
            ui, "r or q: ", $"That is no answer: {Choice}.", ["", "R", "Q"], cancellationToken) is "" or "R";
    }

    // What ends with a question mark needs nothing more between it and what to do.
    private static string Joined(string what) => what + (what.EndsWith('?') ? " " : "; ");
}
