namespace PlayChat.Cluster.Log;

/// <summary>One event of a room, as it stands in the log.</summary>
/// <remarks>
/// A record does not own its body. <see cref="IRoomBackplane.Publish"/> copies it. A handler may use the body of a record during the call
/// only.
/// </remarks>
public readonly struct RoomRecord
{
    private const int NodeDownBytes = sizeof(int) + sizeof(long);

    /// <summary>The application's number for what happened, 0 to 199; see <see cref="RecordKind"/> for the others.</summary>
    public byte Kind { get; init; }

    /// <summary>The room. It also decides the shard: <see cref="RoomShard.Of"/>.</summary>
    public long RoomId { get; init; }

    /// <summary>The user that caused it; 0 without one.</summary>
    public long UserId { get; init; }

    /// <summary>A number of the publisher's own, for example the client's message id.</summary>
    public ulong Token { get; init; }

    /// <summary>The content, opaque to the backplane.</summary>
    public ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>Returns the record that fences a node. Publish it to every shard.</summary>
    /// <param name="dead">The life of the node that ended.</param>
    public static RoomRecord NodeDown(RecordOrigin dead)
    {
        byte[] body = new byte[NodeDownBytes];
        BinaryPrimitives.WriteInt32LittleEndian(body, dead.NodeId);
        BinaryPrimitives.WriteInt64LittleEndian(body.AsSpan(sizeof(int)), dead.Incarnation);
        return new RoomRecord { Kind = RecordKind.NodeDown, Body = body };
    }

    /// <summary>Reads a record that <see cref="NodeDown"/> made.</summary>
    internal bool TryReadNodeDown(out RecordOrigin dead)
    {
        if (Kind != RecordKind.NodeDown || Body.Length != NodeDownBytes)
        {
            dead = default;
            return false;
        }

        dead = new RecordOrigin(
            BinaryPrimitives.ReadInt32LittleEndian(Body.Span), BinaryPrimitives.ReadInt64LittleEndian(Body.Span[sizeof(int)..]));
        return true;
    }
}
