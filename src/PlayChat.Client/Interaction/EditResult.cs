namespace PlayChat.Client.Interaction;

/// <summary>What a key did to <see cref="LineEditor"/>.</summary>
internal enum EditResult
{
    Nothing,
    Changed, // the line or the cursor is another
    Submitted, // Enter: the line is done
    EndOfInput, // Ctrl+D in an empty line: no more input
}
