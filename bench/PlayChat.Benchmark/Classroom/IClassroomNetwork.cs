namespace PlayChat.Benchmark.Classroom;

/// <summary>Makes the connections of a load whose messages go to the sender's room. Disposing it ends them.</summary>
internal interface IClassroomNetwork : IAsyncDisposable
{
    /// <summary>Makes the channel of a connection, which is in room <paramref name="room"/> of the load.</summary>
    IClassroomChannel CreateChannel(ClassroomLink link, int room);
}
