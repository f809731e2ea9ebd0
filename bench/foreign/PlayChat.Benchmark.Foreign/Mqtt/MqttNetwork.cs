using System.Collections.Concurrent;
using PlayChat.Benchmark.Classroom;

namespace PlayChat.Benchmark.Foreign.Mqtt;

/// <summary>Clients of a broker, each of which subscribes to its room's topic and publishes to it.</summary>
internal sealed class MqttNetwork : IClassroomNetwork
{
    private readonly ConcurrentBag<MqttChannel> _channels = [];

    public IClassroomChannel CreateChannel(ClassroomLink link, int room)
    {
        var channel = new MqttChannel(link, room);
        _channels.Add(channel);
        return channel;
    }

    public ValueTask DisposeAsync()
    {
        foreach (MqttChannel channel in _channels)
        {
            channel.Dispose();
        }

        return ValueTask.CompletedTask;
    }
}
