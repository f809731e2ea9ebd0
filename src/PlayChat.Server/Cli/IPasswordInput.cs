namespace PlayChat.Server.Cli;

/// <summary>Where a new password comes from. Never the command line: every user of the machine can read it.</summary>
internal interface IPasswordInput
{
    /// <summary>Whether a person types it without seeing it, and may mistype.</summary>
    bool IsTyped { get; }

    /// <summary>Reads a line.</summary>
    /// <param name="prompt">The prompt, if a person types.</param>
    /// <returns><see langword="null"/> when there is none.</returns>
    string? Read(string prompt);
}
