using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Cluster.OwnedRooms;

/// <summary>Puts the parts of an owner's snapshots together.</summary>
[SuppressMessage("Design", "CA1001", Justification = "A stream in memory has nothing to free.")]
internal sealed class SnapshotReader
{
    private const int HeaderBytes = 2 * sizeof(int); // of a part: its number, and how many there are

    private readonly MemoryStream _parts = new();
    private RecordOrigin _owner; // of the parts
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
        int partBytes = maxBytes - HeaderBytes;
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

    /// <summary>Whether a part may name a member of a node. A few nanoseconds instead of the microseconds of reading it.</summary>
    internal static bool MayName(RecordOrigin node, ReadOnlySpan<byte> part)
    {
        Span<byte> wanted = stackalloc byte[sizeof(int) + sizeof(long)]; // as ClusterSeat writes it
        BinaryPrimitives.WriteInt32LittleEndian(wanted, node.NodeId);
        BinaryPrimitives.WriteInt64LittleEndian(wanted[sizeof(int)..], node.Incarnation);
        bool isCut = BinaryPrimitives.ReadInt32LittleEndian(part[sizeof(int)..]) > 1; // maybe within a member
        return isCut || part.IndexOf(wanted) >= 0;
    }

    /// <summary>Records are missing: the parts so far belong to no snapshot any more.</summary>
    internal void Reset() => _owner = default;

    /// <summary>Takes the next part.</summary>
    /// <returns>Whether it was the last one of a whole snapshot.</returns>
    internal bool TryRead(RecordOrigin owner, byte[] part, out ClusterSeat[] seats, out byte[]? state)
    {
        seats = [];
        state = null;
        using var reader = new BinaryReader(new MemoryStream(part, writable: false));
        int number = reader.ReadInt32();
        int parts = reader.ReadInt32();
        if (number == 0)
        {
            _owner = owner;
            _next = 0;
            _parts.SetLength(0);
        }

        if (owner != _owner || number != _next)
        {
            Reset(); // the parts before it are missing
            return false;
        }

        _next++;
        _parts.Write(part.AsSpan(HeaderBytes));
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
