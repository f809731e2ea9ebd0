using System.Buffers;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Classroom;

/// <summary>
/// What carries the messages of one connection. It calls <see cref="ClassroomLink.OnMessage"/> for one message at a time.
/// </summary>
internal interface IClassroomChannel
{
    /// <summary>Connects.</summary>
    /// <exception cref="UsageException">The connect failed.</exception>
    Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken);

    /// <summary>Sends a message to the connection's room.</summary>
    /// <param name="bytes">Its length.</param>
    /// <param name="write">Writes it; called before this returns.</param>
    /// <returns><see langword="false"/> when the connection has ended.</returns>
    bool Send(int bytes, SpanAction<byte, ClassroomLink> write);
}
