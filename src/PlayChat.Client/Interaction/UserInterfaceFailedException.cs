namespace PlayChat.Client.Interaction;

/// <summary>The screen of a user interface failed, so nothing could be shown or read any more.</summary>
internal sealed class UserInterfaceFailedException(Exception inner) : Exception(
    $"The screen failed: {inner.Message} Start the client again, with --plain if it fails again.", inner);
