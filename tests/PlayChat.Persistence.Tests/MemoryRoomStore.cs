using System.Collections.Concurrent;

namespace PlayChat.Persistence.Tests;

/// <summary>A store that outlives the servers of a test. Thread-safe.</summary>
internal sealed class MemoryRoomStore : IRoomStore
{
    internal ConcurrentDictionary<string, SavedRoom> Rooms { get; } = new(StringComparer.Ordinal);

    /// <summary>What every save and removal throws.</summary>
    internal Exception? Fault { get; set; }

    /// <summary>The only room that <see cref="Fault"/> is for; <see langword="null"/> for all.</summary>
    internal string? FaultyRoom { get; init; }

    /// <summary>What every save and removal waits for.</summary>
    internal Task Holding { get; set; } = Task.CompletedTask;

    public Task<IReadOnlyList<SavedRoom>> LoadAsync(CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<SavedRoom>>([.. Rooms.Values]);

    public async Task SaveAsync(SavedRoom room, CancellationToken cancellationToken)
    {
        await HoldAsync(room.Name);
        Rooms[room.Name] = room;
    }

    public async Task RemoveAsync(string name, CancellationToken cancellationToken)
    {
        await HoldAsync(name);
        Rooms.TryRemove(name, out _);
    }

    /// <summary>The sum in a saved room; <see langword="null"/> if there is none.</summary>
    internal int? SumOf(string name) =>
        Rooms.TryGetValue(name, out SavedRoom? saved) ? BitConverter.ToInt32(RoomImage.Read(saved).State) : null;

    private async Task HoldAsync(string name)
    {
        await Holding;
        if (Fault is { } fault && (FaultyRoom ?? name) == name)
        {
            throw fault;
        }
    }
}
