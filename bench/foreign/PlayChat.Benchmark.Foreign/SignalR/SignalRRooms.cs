using System.Collections.Concurrent;

namespace PlayChat.Benchmark.Foreign.SignalR;

/// <summary>The number of members of each room, which SignalR's groups do not tell. Thread-safe.</summary>
internal sealed class SignalRRooms
{
    private readonly ConcurrentDictionary<string, int> _members = new(StringComparer.Ordinal);

    public void Add(string room, int members) => _members.AddOrUpdate(room, members, (_, before) => before + members);

    public int CountOf(string room) => _members.GetValueOrDefault(room);
}
