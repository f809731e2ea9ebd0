using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Cluster.OwnedRooms;

/// <summary>Puts the parts of an owner's snapshots together.</summary>
[SuppressMessage("Design", "CA1001", Justification = "A stream in memory has nothing to free.")]
internal sealed class SnapshotReader
{
    private readonly MemoryStream _parts = new();
    private int _next;

    /// <summary>Cuts a snapshot into records.</summary>
    /// <param name="seats">The members.</param>
    /// <param name="state">The room's state; <see langword="null"/> if it has published none.</param>
    /// <param name="maxBytes">The size of a record.</param>
    internal static IEnumerable<byte[]> Write(IReadOnlyCollection<ClusterSeat> seats, byte[]? state, int maxBytes)
    {
        var content = new MemoryStream();
        using var writer = new BinaryWriter(content);
        writer.Write(seats.Count);
        foreach (ClusterSeat seat in seats)
        {
            seat.Write(writer);
        }

        writer.Write(state is not null);
        writer.Write(state?.Length ?? 0);
        writer.Write(state ?? []);
        byte[] all = content.ToArray();
        int partBytes = maxBytes - (2 * sizeof(int));
        int parts = (all.Length + partBytes - 1) / partBytes;
        for (int i = 0; i < parts; i++)
        {
            var part = new MemoryStream();
            using var partWriter = new BinaryWriter(part);
            partWriter.Write(i);
            partWriter.Write(parts);
            partWriter.Write(all.AsSpan(i * partBytes, Math.Min(partBytes, all.Length - (i * partBytes))));
            yield return part.ToArray();
        }
    }

    /// <summary>Takes the next part.</summary>
    /// <returns>Whether it was the last one of a whole snapshot.</returns>
    internal bool TryRead(byte[] part, out ClusterSeat[] seats, out byte[]? state)
    {
        seats = [];
        state = null;
        using var reader = new BinaryReader(new MemoryStream(part, writable: false));
        int number = reader.ReadInt32();
        int parts = reader.ReadInt32();
        if (number == 0)
        {
            _next = 0;
            _parts.SetLength(0);
        }

        if (number != _next)
        {
            _next = -1; // its beginning is missing
            return false;
        }

        _next++;
        _parts.Write(part.AsSpan(2 * sizeof(int)));
        if (_next < parts)
        {
            return false;
        }

        using var all = new BinaryReader(new MemoryStream(_parts.ToArray(), writable: false));
        seats = new ClusterSeat[all.ReadInt32()];
        for (int i = 0; i < seats.Length; i++)
        {
            seats[i] = ClusterSeat.Read(all);
        }

        bool hasState = all.ReadBoolean();
        byte[] bytes = all.ReadBytes(all.ReadInt32());
        state = hasState ? bytes : null;
        return true;
    }
}
