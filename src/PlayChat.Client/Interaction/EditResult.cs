namespace PlayChat.Client.Interaction;

/// <summary>What a key did to <see cref="LineEditor"/>.</summary>
internal enum EditResult
{
    /// <summary>Nothing.</summary>
    Nothing,

    /// <summary>The line or the cursor is another.</summary>
    Changed,

    /// <summary>Enter: the line is done.</summary>
    Submitted,

    /// <summary>Ctrl+D in an empty line: no more input.</summary>
    EndOfInput,
}
