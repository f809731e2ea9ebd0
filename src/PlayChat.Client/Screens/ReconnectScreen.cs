using System.Globalization;
using PlayChat.Client.Cli;
using PlayChat.Client.Interaction;

namespace PlayChat.Client.Screens;

/// <summary>What happens when there is no connection: the client tries again by itself, or the user decides.</summary>
internal sealed class ReconnectScreen(ClientOptions options, IUserInterface ui, TimeProvider time)
{
    private int _attempts;

    /// <summary>A login went well: the count of attempts begins anew.</summary>
    public void Succeeded() => _attempts = 0;

    /// <summary>Says what happened, and asks or waits.</summary>
    /// <param name="what">The sentence, without its end.</param>
    /// <param name="mayReconnect">False when the user must decide: there was no session yet, or the server ended it for good.</param>
    /// <returns>Whether to connect again.</returns>
    public async Task<bool> AgainAsync(string what, bool mayReconnect, CancellationToken cancellationToken)
    {
        if (options.Reconnect && mayReconnect && _attempts < options.ReconnectDelays.Count)
        {
            TimeSpan delay = options.ReconnectDelays[_attempts++];
            ui.Write(new ScreenLine(
                LineKind.Warning,
                string.Create(CultureInfo.InvariantCulture,
                    $"{Joined(what)}trying again in {delay.TotalSeconds:0.#} s ({_attempts} of {options.ReconnectDelays.Count})")));
            await Task.Delay(delay, time, cancellationToken);
            return true;
        }

        if (!ui.IsInteractive)
        {
            ui.Write(new ScreenLine(LineKind.Error, what));
            return false;
        }

        ui.Write(new ScreenLine(LineKind.Error, $"{Joined(what)}press Enter or type r to reconnect, q to quit"));
        string? answer = await PromptCommands.ChooseAsync(
            ui, "r or q: ", "Press Enter or type r to reconnect, q to quit.", ["", "R", "Q"], cancellationToken);
        bool isAgain = answer is "" or "R";
        _attempts = isAgain ? 0 : _attempts;
        return isAgain;
    }

    // What ends with a question mark needs nothing more between it and what to do.
    private static string Joined(string what) => what + (what.EndsWith('?') ? " " : "; ");
}
