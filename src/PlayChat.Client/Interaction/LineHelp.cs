namespace PlayChat.Client.Interaction;

/// <summary>What helps to write a line of chat. Questions, such as for a name, have none.</summary>
/// <param name="History">The lines entered before, for Up and Down.</param>
/// <param name="Complete">
/// For Tab: what may replace the text before the cursor, which is the argument. Called on the thread of the user interface.
/// </param>
internal sealed record LineHelp(LineHistory History, Func<string, IReadOnlyList<string>> Complete);
