using System.Text;

namespace PlayChat.Chat.Cli;

/// <summary>The terminal, without echo; or the redirected input.</summary>
internal sealed class ConsoleOperatorInput : IOperatorInput
{
    private const char EndOfTransmission = '\u0004'; // Ctrl+D

    private readonly Lazy<RedirectedInput> _redirected = new(static () => new RedirectedInput(Console.OpenStandardInput()));

    public bool IsTyped => !Console.IsInputRedirected;

    public string? Read(string prompt)
    {
        if (!IsTyped)
        {
            return _redirected.Value.ReadLine();
        }

        // Not to the output, which may be redirected.
        Console.Error.Write(prompt);
        string? password = ReadKeys();
        Console.Error.WriteLine();
        return password;
    }

    public bool Confirm(string question)
    {
        Console.Error.Write($"{question} [y/N] ");
        string? answer = (IsTyped ? Console.In.ReadLine() : _redirected.Value.ReadLine())?.Trim();
        return "y".Equals(answer, StringComparison.OrdinalIgnoreCase) || "yes".Equals(answer, StringComparison.OrdinalIgnoreCase);
    }

    private static string? ReadKeys()
    {
        var password = new StringBuilder();
        while (Console.ReadKey(intercept: true) is { Key: not ConsoleKey.Enter } key)
        {
            if (key.KeyChar == EndOfTransmission)
            {
                return null;
            }

            if (key.Key == ConsoleKey.Backspace)
            {
                bool isPair = password.Length >= 2 && char.IsSurrogatePair(password[^2], password[^1]);
                password.Length = Math.Max(password.Length - (isPair ? 2 : 1), 0);
            }
            else if (!char.IsControl(key.KeyChar))
            {
                password.Append(key.KeyChar);
            }
        }

        return password.ToString();
    }
}
