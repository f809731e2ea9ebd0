namespace PlayChat.Client.Interaction;

/// <summary>Where <see cref="PlainUserInterface"/> gets its lines.</summary>
internal interface IPlainInput
{
    /// <summary>Waits for a line.</summary>
    /// <param name="isSecret">A person must not see what is typed.</param>
    /// <returns>Null at the end.</returns>
    string? ReadLine(bool isSecret);
}
