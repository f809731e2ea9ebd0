using System.Text;

namespace PlayChat.Client.Interaction;

/// <summary>Lines from a terminal that does its own line editing: what <c>--plain</c> asks for.</summary>
internal sealed class ConsoleInput : IPlainInput
{
    public string? ReadLine(bool isSecret) => isSecret ? ReadSecret() : Console.In.ReadLine();

    private static string ReadSecret()
    {
        var secret = new StringBuilder();
        while (Console.ReadKey(intercept: true) is { Key: not ConsoleKey.Enter } key)
        {
            if (key.Key == ConsoleKey.Backspace)
            {
                secret.Length = Math.Max(secret.Length - 1, 0);
            }
            else if (!char.IsControl(key.KeyChar))
            {
                secret.Append(key.KeyChar);
            }
        }

        Console.Out.WriteLine();
        return secret.ToString();
    }
}
