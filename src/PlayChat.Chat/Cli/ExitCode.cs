namespace PlayChat.Chat.Cli;

/// <summary>What a command ends with. Its help lists the same numbers.</summary>
internal static class ExitCode
{
    /// <summary>Done.</summary>
    public const int Success = 0;

    /// <summary>Not done; nothing was changed.</summary>
    public const int Failed = 1;

    /// <summary>The command line is wrong; nothing was looked at.</summary>
    public const int BadArguments = 2;
}
