namespace PlayChat.Client.Interaction;

/// <summary>How a line is asked for.</summary>
/// <param name="Label">What stands before the input.</param>
/// <param name="IsSecret">What is typed is not shown.</param>
/// <param name="StaysOnScreen">The line that was entered remains to be seen; otherwise it goes, because it comes back in another
/// form.</param>
/// <param name="InitialText">What stands in the line already.</param>
/// <param name="Help">History and completion, and several lines may be pasted; null for a question.</param>
internal sealed record InputPrompt(
    string Label, bool IsSecret = false, bool StaysOnScreen = true, string InitialText = "",
    LineHelp? Help = null);
