namespace PlayChat.Core.Dispatch;

/// <summary>
/// Logs packets that end their connection or are dropped: which one it was, its sender, and what to change, within the bounds of a
/// <see cref="PeerLogLimit"/> for each kind. Thread-safe.
/// </summary>
internal sealed class RefusedPackets(ILogger logger, TimeProvider time, PacketSet packets)
{
    private readonly PeerLogLimit _unknown = new(time);
    private readonly PeerLogLimit _login = new(time);
    private readonly PeerLogLimit _rate = new(time);
    private readonly PeerLogLimit _noRoom = new(time);
    private readonly ConcurrentDictionary<ushort, bool> _unhandled = new(); // at most 65,536

    /// <summary>The connection closes, because nothing handles the packet.</summary>
    internal void Unknown(PacketContext context)
    {
        if (TryTake(_unknown, context, out EndPoint? peer, out int leftOut))
        {
            DispatchLog.ClosedAsUnknown(logger, context.Connection.Id, peer, NameOf(context.PacketId), leftOut);
        }
    }

    /// <summary>A client drops the packet, because nothing handles it.</summary>
    internal void UnknownAtClient(PacketContext context)
    {
        if (logger.IsEnabled(LogLevel.Warning) && _unhandled.TryAdd(context.PacketId, true))
        {
            DispatchLog.DroppedByClient(logger, context.Connection.Id, context.Connection.RemoteEndPoint, NameOf(context.PacketId));
        }
    }

    /// <summary>The connection closes, because the packet needs a login.</summary>
    internal void LoginRequired(PacketContext context)
    {
        if (TryTake(_login, context, out EndPoint? peer, out int leftOut))
        {
            DispatchLog.ClosedAsLoginRequired(logger, context.Connection.Id, peer, NameOf(context.PacketId), leftOut);
        }
    }

    /// <summary>The connection closes, because so many packets in a row were over a rate limit.</summary>
    internal void RateLimited(PacketContext context, int inRow)
    {
        if (TryTake(_rate, context, out EndPoint? peer, out int leftOut))
        {
            DispatchLog.ClosedAsRateLimited(logger, context.Connection.Id, peer, inRow, NameOf(context.PacketId), leftOut);
        }
    }

    /// <summary>The packet is dropped, because its sender is in no room for it.</summary>
    /// <param name="context">The packet.</param>
    /// <param name="room">The type of the room.</param>
    /// <param name="roomId">The room that the packet names, or that its sender has left or watches; 0 for none.</param>
    internal void NoRoom(PacketContext context, Type room, long roomId)
    {
        if (TryTake(_noRoom, context, out EndPoint? peer, out int leftOut))
        {
            string name = roomId == 0 ? $"in no {room.Name}" : $"no member of the {room.Name} {roomId}, or only a spectator";
            DispatchLog.DroppedWithoutRoom(logger, NameOf(context.PacketId), context.Connection.Id, peer, name, leftOut);
        }
    }

    private bool TryTake(PeerLogLimit limit, PacketContext context, out EndPoint? peer, out int leftOut)
    {
        (peer, leftOut) = (null, 0);
        if (!logger.IsEnabled(LogLevel.Information))
        {
            return false;
        }

        peer = context.Connection.RemoteEndPoint;
        return limit.TryTake(peer, out leftOut);
    }

    private string NameOf(ushort id) => packets.Find(id) is { } type ? $"{id} ({type.Name})" : $"{id} (not in the PacketSet)";
}
