namespace PlayChat.Benchmark.Ticks;

/// <summary>What ticks.</summary>
/// <param name="Rooms">Rooms that tick and are measured.</param>
/// <param name="Hertz">How often each does.</param>
/// <param name="Members">Members of each room, on sockets of their own.</param>
/// <param name="Bytes">What each tick broadcasts.</param>
/// <param name="Flood">Whether one room more is given jobs as fast as it takes them.</param>
internal sealed record TickSettings(int Rooms, double Hertz, int Members, int Bytes, bool Flood);
