using PlayChat.Core.Sessions;

namespace PlayChat.Simulation;

/// <summary>What a room has done, as its own code has noted it: what every member must see.</summary>
internal sealed class RoomLog(string name)
{
    internal string Name => name;

    internal List<RoomEvent> Events { get; } = [];

    /// <summary>The messages among them, by their user and the client's own number.</summary>
    internal HashSet<(int User, int Number)> Said { get; } = [];

    /// <summary>The members, by their number, with their session.</summary>
    internal Dictionary<int, Session> Members { get; } = [];

    internal bool HasEnded { get; set; }
}
