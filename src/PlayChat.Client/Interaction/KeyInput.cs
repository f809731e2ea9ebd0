namespace PlayChat.Client.Interaction;

/// <summary>What comes from the keyboard: a key, or text that was pasted.</summary>
/// <param name="Key">The key; meaningless with a paste.</param>
/// <param name="Pasted">The pasted text with \n between its lines; null for a key.</param>
internal readonly record struct KeyInput(ConsoleKeyInfo Key, string? Pasted = null);
