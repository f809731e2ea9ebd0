using System.Buffers.Binary;

namespace PlayChat.Simulation;

/// <summary>What a client knows of a room that it is in.</summary>
internal abstract class ClientRoom(long id)
{
    internal long Id => id;

    /// <summary>The client's own number in the room.</summary>
    internal int Number { get; private set; }

    /// <summary>The newest event that the client knows.</summary>
    internal int Last { get; private set; }

    internal HashSet<int> Members { get; } = [];

    /// <summary>Whether the client has resumed and the room has not said yet what it has missed.</summary>
    internal bool IsReturning { get; set; }

    /// <summary>Whether an event is missing, as it may be until the room tells the client its state.</summary>
    internal bool HasGap { get; set; }

    /// <summary>Whether the client has asked to leave.</summary>
    internal bool IsLeaving { get; set; }

    /// <summary>Takes the state that the room has told the client.</summary>
    internal void Restore(int number, int last, ReadOnlySpan<byte> members)
    {
        (Number, Last) = (number, last);
        IsReturning = false;
        HasGap = false;
        Members.Clear();
        for (; !members.IsEmpty; members = members[sizeof(int)..])
        {
            Members.Add(BinaryPrimitives.ReadInt32BigEndian(members));
        }
    }

    /// <summary>Takes an event of the room.</summary>
    internal void Follow(int sequence, EventKind kind, int member)
    {
        Last = sequence;
        if (kind == EventKind.Join)
        {
            Members.Add(member);
        }
        else if (kind == EventKind.Leave)
        {
            Members.Remove(member);
        }
    }
}
