namespace PlayChat.Server.Cli;

/// <summary>Where a new password comes from. Never the command line: everybody on the machine can read that.</summary>
internal interface IPasswordInput
{
    /// <summary>Whether somebody types it, who does not see it and may mistype.</summary>
    bool IsTyped { get; }

    /// <summary>Reads a line.</summary>
    /// <param name="prompt">What it is asked for with, where somebody types.</param>
    /// <returns><see langword="null"/> when there is none.</returns>
    string? Read(string prompt);
}
