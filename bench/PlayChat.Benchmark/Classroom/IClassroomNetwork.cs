namespace PlayChat.Benchmark.Classroom;

/// <summary>Makes the connections of a load whose messages go to the sender's room. Disposing it ends them.</summary>
internal interface IClassroomNetwork : IAsyncDisposable
{
    /// <summary>Makes the channel of a connection, which is in room <paramref name="room"/> of the load.</summary>
    IClassroomChannel CreateChannel(ClassroomLink link, int room);
}

/// <summary>
/// What carries the messages of one connection. It calls <see cref="ClassroomLink.OnMessage"/> for one message at a time.
/// </summary>
internal interface IClassroomChannel
{
    /// <summary>Connects.</summary>
    /// <exception cref="UsageException">The connect failed.</exception>
    Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken);

    /// <summary>Sends a message to the connection's room.</summary>
    /// <returns><see langword="false"/> when the connection has ended.</returns>
    bool Send(int bytes, SpanAction<byte, ClassroomLink> write);
}
