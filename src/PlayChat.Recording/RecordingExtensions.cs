namespace PlayChat.Recording;

/// <summary>Lets a server record rooms.</summary>
public static class RecordingExtensions
{
    /// <summary>Makes the rooms of a server recordable.</summary>
    /// <remarks>
    /// The clock of a room (<see cref="RoomContext.Time"/>) then stands still during each recorded turn, and its random numbers
    /// (<see cref="RoomContext.Random"/>) begin anew when a recording begins, so that a recording needs neither times nor draws. Timestamps
    /// of this clock are not those of the server's clock: do not compare the two.
    /// </remarks>
    /// <param name="server">The server.</param>
    /// <param name="recordings">Records the rooms; of this server alone.</param>
    /// <returns>The server.</returns>
    /// <exception cref="InvalidOperationException">The server has recordings already, or has started.</exception>
    public static PlayChatServer UseRecording(this PlayChatServer server, RoomRecordings recordings)
    {
        ArgumentNullException.ThrowIfNull(server);
        ArgumentNullException.ThrowIfNull(recordings);
        return server.UsePart(recordings.CreatePart);
    }
}
