namespace PlayChat.Client.Screens;

/// <summary>How the user left a room.</summary>
/// <param name="Quits">Out of the program.</param>
/// <param name="NextRoom">The room that the user has entered instead; null for the menu.</param>
/// <param name="IsRefused">A script named a room that there is not. The program ends: its next lines were meant for that room.</param>
internal readonly record struct RoomExit(bool Quits, RoomEntry? NextRoom, bool IsRefused = false)
{
    /// <summary>Back to the menu.</summary>
    public static RoomExit ToMenu { get; } = new(Quits: false, NextRoom: null);

    /// <summary>Out of the program.</summary>
    public static RoomExit Quit { get; } = new(Quits: true, NextRoom: null);
}
