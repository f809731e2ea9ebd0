using PlayChat.Core;

namespace PlayChat.Client.Screens;

/// <summary>Connects and logs in. On an interactive user interface it asks for what it needs until the server accepts it.</summary>
internal sealed class LoginScreen(ClientOptions options, IUserInterface ui, OpenRooms rooms, TimeProvider time)
{
    private string? _name = options.Name;
    private string? _password = options.Password;
    private string? _lastName;

    // The next attempt needs a password from the user.
    private bool _needsPassword;

    private bool _wasLoggedIn;

    // The user was asked since the connection was made: the server's login deadline may pass while the user thinks.
    private bool _asked;

    // What a person has been asked about this name, and said yes to. A script is never asked.
    private bool _mayRegister = !ui.IsInteractive;
    private bool _mayTakeOver = !ui.IsInteractive;

    // The user typed /quit at one of these questions, or the input ended there.
    private bool _ended;

    /// <summary>Connects and logs in. The name and the password that worked are used again the next time.</summary>
    /// <returns>The session, the receiver's to dispose; null when the user ended it, or was refused and input is not interactive.</returns>
    /// <exception cref="Core.Transport.ConnectFailedException">There is no such server.</exception>
    /// <exception cref="ChatConnectionClosedException">The connection ended before the answer.</exception>
    public async Task<ChatSession?> RunAsync(CancellationToken cancellationToken)
    {
        ChatSession? session = await ConnectAsync(cancellationToken);
        try
        {
            while (true)
            {
                if (_needsPassword)
                {
                    await AskPasswordAsync(cancellationToken);
                }

                if (_ended || (_name is null && !await AskNameAsync(cancellationToken)))
                {
                    return null;
                }

                if (!session.Client.IsConnected)
                {
                    await session.DisposeAsync();
                    session = await ConnectAsync(cancellationToken);
                }

                if (await LogInAsync(session, cancellationToken))
                {
                    ChatSession open = session;
                    session = null;
                    return open;
                }

                if (!ui.IsInteractive)
                {
                    return null;
                }
            }
        }
        finally
        {
            await (session?.DisposeAsync() ?? default);
        }
    }

    private async Task<ChatSession> ConnectAsync(CancellationToken cancellationToken)
    {
        _asked = false;
        return await ChatSession.ConnectAsync(options, ui, rooms, time, cancellationToken);
    }

    private async Task<bool> LogInAsync(ChatSession session, CancellationToken cancellationToken)
    {
        try
        {
            SLoginRes answer = await session.Client.LoginAsync(
                new CLoginReq { Name = _name, Password = _password ?? "", NoRegistration = !_mayRegister, NoTakeover = !_mayTakeOver },
                cancellationToken);
            string server = options.Nodes.Count > 1 ? $"one of {options.Server}" : options.Server;
            ui.Write(new ScreenLine(
                LineKind.Info,
                _wasLoggedIn ? $"Connected to {server} again." : $"Connected to {server}. Welcome, {answer.Name}."));
            _wasLoggedIn = true;
            _mayRegister = true;
            _mayTakeOver = true; // another login is told from then on: TAKEN_OVER
            return true;
        }
        catch (ChatErrorException e) when (e.Code == ErrorCode.NameUnknown)
        {
            _mayRegister = await AskAsync($"There is no account {_name}. Create it? [y/N] ", cancellationToken);
        }
        catch (ChatErrorException e) when (e.Code == ErrorCode.NameInUse)
        {
            _mayTakeOver = await AskAsync($"{_name} is logged in elsewhere. End that session, and log in here? [y/N] ", cancellationToken);
        }
        catch (ChatErrorException e) when (e.Code == ErrorCode.PasswordRequired && ui.IsInteractive)
        {
            ui.Write(new ScreenLine(LineKind.Info, e.Message));
            _needsPassword = true;
        }
        catch (ChatErrorException e)
        {
            string hint = e.Code == ErrorCode.PasswordRequired ? " Use --password-stdin." : "";
            Refuse($"Login refused: {e.Message}{hint}");
        }
        catch (TimeoutException e)
        {
            Refuse($"Login failed: {e.Message}");
        }
        catch (ChatConnectionClosedException e) when (e.Reason == CloseReason.LoginTimeout && _asked)
        {
            // The user took longer than the deadline: the next round connects again.
            _asked = false;
        }

        return false;
    }

    private void Refuse(string why)
    {
        ui.Write(new ScreenLine(LineKind.Error, why));
        if (_password is null)
        {
            ForgetName();
            return;
        }

        // Never ask for the name here: the user expects to correct the password, and a password typed as a name would become an account.
        _password = null;
        _needsPassword = true;
    }

    private void ForgetName()
    {
        _lastName = _name;
        _name = null;
        _mayRegister = _mayTakeOver = !ui.IsInteractive;
    }

    /// <returns>Whether the answer is yes. Otherwise the next question is for another name, or <see cref="_ended"/> is set.</returns>
    private async Task<bool> AskAsync(string question, CancellationToken cancellationToken)
    {
        _asked = true;
        switch (await PromptCommands.ChooseAsync(
            ui, question, $"Type y for yes, n for no. {PromptCommands.Hint}", ["Y", "YES", "", "N", "NO"], cancellationToken))
        {
            case null:
                _ended = true;
                return false;
            case "Y" or "YES":
                return true;
            default:
                _password = null; // it belongs to the name
                ForgetName();
                return false;
        }
    }

    private async Task<bool> AskNameAsync(CancellationToken cancellationToken)
    {
        _asked = true;
        while (true)
        {
            string label = _lastName is null ? "Your name: " : $"Your name [{_lastName}]: ";
            string? name = await ui.ReadLineAsync(new InputPrompt(label), cancellationToken);
            if (PromptCommands.Ends(name))
            {
                if (!ui.IsInteractive)
                {
                    ui.Write(new ScreenLine(
                        LineKind.Error, "There is no name to log in with: use --name, or make it the first line of the input."));
                }

                return false;
            }

            if (PromptCommands.IsHelp(name))
            {
                ui.Write(new ScreenLine(
                    LineKind.Info,
                    $"Type the name that others see, 1 to {ChatLimits.MaxPlayerNameChars} characters. {PromptCommands.Hint}"));
                continue;
            }

            name = name.Length == 0 && _lastName is not null ? _lastName : name.Trim();
            if (ChatRules.FindPlayerNameProblem(name) is not { } problem)
            {
                _name = name;
                return true;
            }

            ui.Write(new ScreenLine(LineKind.Error, $"Invalid name: {problem}"));
            if (!ui.IsInteractive)
            {
                return false;
            }
        }
    }

    private async Task AskPasswordAsync(CancellationToken cancellationToken)
    {
        _asked = true;
        _needsPassword = false;
        string? password = await ui.ReadLineAsync(
            new InputPrompt($"Password of {_name} (Enter alone: another name): ", IsSecret: true), cancellationToken);
        if (string.IsNullOrEmpty(password))
        {
            ForgetName();
        }

        _password = string.IsNullOrEmpty(password) ? null : password;
    }
}
