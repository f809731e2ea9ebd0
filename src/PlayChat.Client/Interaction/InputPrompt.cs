namespace PlayChat.Client.Interaction;

/// <summary>How a line is asked for.</summary>
/// <param name="Label">What stands before the input.</param>
/// <param name="IsSecret">What is typed is not shown.</param>
/// <param name="IsChat">
/// The line of chat: it has a history and completion, takes several pasted lines, and goes off the screen when it is entered, because it
/// comes back in another form.
/// </param>
internal sealed record InputPrompt(string Label, bool IsSecret = false, bool IsChat = false)
{
    public static InputPrompt Chat { get; } = new("> ", IsChat: true);
}
