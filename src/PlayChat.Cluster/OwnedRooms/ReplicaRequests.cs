namespace PlayChat.Cluster.OwnedRooms;

/// <summary>What a replica asks of the room's owner, through the log. Only the room's turn uses it.</summary>
internal sealed class ReplicaRequests(ClusterSender sender)
{
    /// <summary>Asks for a snapshot.</summary>
    /// <param name="hasMissed">Whether members of this node may have missed something.</param>
    internal void Sync(bool hasMissed) => sender.Send(ClusterEntryKind.Sync, [hasMissed ? (byte)1 : (byte)0]);

    internal void Join(PendingJoin join) => Send(ClusterEntryKind.Join, join, static (writer, join) =>
    {
        new ClusterSeat(join.Session.Id, join.Number, default, join.Session.User, join.Argument).Write(writer);
        writer.Write(join.Password is not null);
        writer.Write(join.Password ?? "");
    });

    /// <summary>Ends the membership that a join has made or may yet make, and no later one of the session.</summary>
    internal void Leave(long sessionId, long join, LeaveReason reason) =>
        Send(ClusterEntryKind.Leave, (sessionId, join, reason), static (writer, leave) =>
        {
            writer.Write(leave.sessionId);
            writer.Write(leave.join);
            writer.Write((byte)leave.reason);
        });

    internal void Away(long sessionId) => SendAbout(ClusterEntryKind.Away, sessionId, 0);

    internal void Return(long sessionId, bool isRecovered) =>
        SendAbout(ClusterEntryKind.Return, sessionId, isRecovered ? (byte)1 : (byte)0);

    /// <summary>Hands over what a member has sent.</summary>
    internal void Forward(ClusterEntryKind kind, long sessionId, FrameHeader header, ReadOnlySpan<byte> body)
    {
        var record = new MemoryStream(body.Length + ClusterOutbox.MaxOverhead);
        using var writer = new BinaryWriter(record);
        writer.Write(sessionId);
        ClusterOutbox.WriteFrame(writer, header, Delivery.Reliable, body);
        sender.Send(kind, record.ToArray());
    }

    private void SendAbout(ClusterEntryKind kind, long sessionId, byte what) => Send(kind, (sessionId, what), static (writer, state) =>
    {
        writer.Write(state.sessionId);
        writer.Write(state.what);
    });

    private void Send<TState>(ClusterEntryKind kind, TState state, Action<BinaryWriter, TState> write)
    {
        var record = new MemoryStream();
        using var writer = new BinaryWriter(record);
        write(writer, state);
        sender.Send(kind, record.ToArray());
    }
}
