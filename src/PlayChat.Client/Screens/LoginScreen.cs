namespace PlayChat.Client.Screens;

/// <summary>Connects and logs in. On an interactive user interface it asks for what it needs until the server accepts it.</summary>
internal sealed class LoginScreen(ClientOptions options, IUserInterface ui, OpenRooms rooms, TimeProvider time)
{
    private string? _name = options.Name;
    private string? _password = options.Password;
    private string? _lastName;
    private bool _wasLoggedIn;

    // What a person has been asked about this name, and said yes to. A script is never asked.
    private bool _mayRegister = !ui.IsInteractive;
    private bool _mayTakeOver = !ui.IsInteractive;

    // The user typed /quit at one of these questions, or the input ended there.
    private bool _ended;

    /// <summary>Connects and logs in. The name and the password that worked are used again the next time.</summary>
    /// <returns>The session, the receiver's to dispose; null when the user ended it, or was refused and input is not interactive.</returns>
    /// <exception cref="ChatConnectionClosedException">The connection ended before the answer.</exception>
    public async Task<ChatSession?> RunAsync(CancellationToken cancellationToken)
    {
        while (!_ended)
        {
            if (_name is null)
            {
                await AskNameAsync(cancellationToken);
                continue;
            }

            // A new one after each question: the server's login deadline may pass while the user thinks.
            ChatSession session = await ChatSession.ConnectAsync(options, ui, rooms, time, cancellationToken);
            bool isLoggedIn = false;
            try
            {
                isLoggedIn = await LogInAsync(session, cancellationToken);
            }
            finally
            {
                await (isLoggedIn ? default : session.DisposeAsync());
            }

            if (isLoggedIn || !ui.IsInteractive)
            {
                return isLoggedIn ? session : null;
            }
        }

        return null;
    }

    private async Task<bool> LogInAsync(ChatSession session, CancellationToken cancellationToken)
    {
        try
        {
            SLoginRes answer = await session.Client.LoginAsync(
                new CLoginReq { Name = _name, Password = _password ?? "", NoRegistration = !_mayRegister, NoTakeover = !_mayTakeOver },
                cancellationToken);
            string server = options.Nodes.Count > 1 ? $"one of {options.Server}" : options.Server;
            ui.Write(LineKind.Info, _wasLoggedIn ? $"Connected to {server} again." : $"Connected to {server}. Welcome, {answer.Name}.");
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
            ui.Write(LineKind.Info, e.Message);
            await AskPasswordAsync(cancellationToken);
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException)
        {
            string hint = e is ChatErrorException { Code: ErrorCode.PasswordRequired } ? " Use --password-stdin." : "";
            ui.Write(LineKind.Error, $"Login {(e is TimeoutException ? "failed" : "refused")}: {e.Message}{hint}");
            if (_password is null)
            {
                ForgetName();
            }
            else if (ui.IsInteractive)
            {
                // Not for the name: the user expects to correct the password, and a password typed as a name would become an account.
                await AskPasswordAsync(cancellationToken);
            }
        }

        return false;
    }

    private void ForgetName()
    {
        _lastName = _name;
        _name = _password = null; // which belongs to the name
        _mayRegister = _mayTakeOver = !ui.IsInteractive;
    }

    /// <returns>Whether the answer is yes. Otherwise the next question is for another name, or <see cref="_ended"/> is set.</returns>
    private async Task<bool> AskAsync(string question, CancellationToken cancellationToken)
    {
        string? answer = await PromptCommands.ChooseAsync(
            ui, question, $"Type y for yes, n for no. {PromptCommands.Hint}", ["Y", "YES", "", "N", "NO"], cancellationToken);
        _ended = answer is null;
        bool isYes = answer is "Y" or "YES";
        if (!isYes)
        {
            ForgetName();
        }

        return isYes;
    }

    private async Task AskNameAsync(CancellationToken cancellationToken)
    {
        string label = _lastName is null ? "Your name: " : $"Your name [{_lastName}]: ";
        string? name = (await ui.ReadLineAsync(new InputPrompt(label), cancellationToken))?.Trim();
        string wanted = string.IsNullOrEmpty(name) ? _lastName ?? "" : name;
        if (PromptCommands.Ends(name))
        {
            _ended = true;
            if (!ui.IsInteractive)
            {
                ui.Write(LineKind.Error, "There is no name to log in with: use --name, or make it the first line of the input.");
            }
        }
        else if (ChatCommand.Read(name) is { Name: "/help" })
        {
            string rule = $"Type the name that others see, 1 to {ChatLimits.MaxPlayerNameChars} characters.";
            ui.Write(LineKind.Info, $"{rule} {PromptCommands.Hint}");
        }
        else if (ChatRules.FindPlayerNameProblem(wanted) is { } problem)
        {
            ui.Write(LineKind.Error, $"Invalid name: {problem}");
            _ended = !ui.IsInteractive;
        }
        else
        {
            _name = wanted;
        }
    }

    private async Task AskPasswordAsync(CancellationToken cancellationToken)
    {
        var prompt = new InputPrompt($"Password of {_name} (Enter alone: another name): ", IsSecret: true);
        _password = await ui.ReadLineAsync(prompt, cancellationToken);
        if (string.IsNullOrEmpty(_password))
        {
            ForgetName();
        }
    }
}
