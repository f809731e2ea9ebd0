using System.Collections.Concurrent;
using PlayChat.Benchmark.Classroom;

namespace PlayChat.Benchmark.Foreign.SignalR;

/// <summary>Connections in groups of the hub.</summary>
internal sealed class SignalRNetwork : IClassroomNetwork
{
    private readonly ConcurrentBag<SignalRChannel> _channels = [];

    public IClassroomChannel CreateChannel(ClassroomLink link, int room)
    {
        var channel = new SignalRChannel(link, room);
        _channels.Add(channel);
        return channel;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (SignalRChannel channel in _channels)
        {
            await channel.DisposeAsync();
        }
    }
}
