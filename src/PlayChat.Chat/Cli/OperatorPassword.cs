namespace PlayChat.Chat.Cli;

/// <summary>Asks an operator for a new password.</summary>
internal static class OperatorPassword
{
    /// <summary>Reads a password, twice if a person types it.</summary>
    /// <param name="input">Where it comes from.</param>
    /// <param name="check">Throws when the password is not allowed, before it is typed again.</param>
    /// <exception cref="StartException">There is none, or the two differ.</exception>
    public static string Read(IOperatorInput input, Action<string>? check = null)
    {
        string password = input.Read("New password: ") ?? "";
        if (password.Length == 0)
        {
            throw new StartException("There is no password: type one, or make it the first line of the input.");
        }

        check?.Invoke(password);
        return input.IsTyped && input.Read("Again: ") != password
            ? throw new StartException("The two passwords differ. Nothing was changed.")
            : password;
    }
}
