namespace PlayChat.Chat.Cli;

/// <summary>What the operator's commands ask for.</summary>
/// <remarks>A password never comes from the command line: every user of the machine can read it.</remarks>
internal interface IOperatorInput
{
    /// <summary>Whether a person types a password without seeing it, and may mistype.</summary>
    bool IsTyped { get; }

    /// <summary>Reads a password.</summary>
    /// <param name="prompt">The prompt, if a person types.</param>
    /// <returns><see langword="null"/> when there is none.</returns>
    string? Read(string prompt);

    /// <summary>Asks a question that y or yes answers with yes, and every other line, or none, with no.</summary>
    bool Confirm(string question);
}
