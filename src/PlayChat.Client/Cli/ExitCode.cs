namespace PlayChat.Client.Cli;

/// <summary>What the program ends with. <c>--help</c> lists the same numbers.</summary>
internal static class ExitCode
{
    /// <summary>The user, the end of the input or Ctrl+C ended it.</summary>
    public const int Success = 0;

    /// <summary>No connection, no login, no room or an unsent message while input is not interactive, or the connection was lost.</summary>
    public const int Failed = 1;

    /// <summary>The command line is wrong; nothing was connected.</summary>
    public const int BadArguments = 2;
}
