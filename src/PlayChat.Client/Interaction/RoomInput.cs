namespace PlayChat.Client.Interaction;

/// <summary>What the user of <see cref="IUserInterface"/> wants.</summary>
/// <param name="RoomId">The room that the user looks at; 0 for none.</param>
/// <param name="Line">What was entered; null when the user has scrolled to the oldest message and wants earlier ones.</param>
internal readonly record struct RoomInput(long RoomId, string? Line);
