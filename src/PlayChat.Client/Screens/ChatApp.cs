using PlayChat.Core;
using PlayChat.Core.Transport;

namespace PlayChat.Client.Screens;

/// <summary>The way through the client: connect and log in, chat, and from a lost connection back to the beginning.</summary>
/// <remarks><see cref="ChatClient"/> comes back by itself. Here are the connections that it could not make, and those that it may not make
/// again: a person decides, and a script ends.</remarks>
/// <param name="ui">The user; not disposed.</param>
/// <param name="time">The clock of the times that are shown.</param>
internal sealed class ChatApp(ClientOptions options, IUserInterface ui, TimeProvider time)
{
    private readonly OpenRooms _rooms = new(ui);

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
                }

                if (!await AgainAsync(what, cancellationToken))
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
            await new ChatScreen(session, ui, _rooms, time).RunAsync();
            return session.HasUnsent ? ExitCode.Failed : ExitCode.Success;
        }
    }

    private async Task<bool> AgainAsync(string what, CancellationToken cancellationToken)
    {
        const string Choice = "press Enter or type r to reconnect, q to quit";
        string end = what.EndsWith('?') ? " " : "; "; // a question needs nothing more between it and what to do
        ui.Write(LineKind.Error, ui.IsInteractive ? what + end + Choice : what);
        return ui.IsInteractive && await PromptCommands.ChooseAsync(
            ui, "r or q: ", $"That is no answer: {Choice}.", ["", "R", "Q"], cancellationToken) is "" or "R";
    }
}
