using System.Globalization;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace PlayChat.Cluster.Tests.RabbitMq;

/// <summary>What a test does with the streams of a broker beside the nodes.</summary>
internal static class BrokerClient
{
    /// <summary>Makes a stream, and waits until the broker may be killed.</summary>
    public static async Task PrepareStreamsAsync(this RabbitMqServer server)
    {
        await using IConnection connection = await ConnectAsync(server);
        await using IChannel channel = await connection.CreateChannelAsync();
        var arguments = new Dictionary<string, object?>(StringComparer.Ordinal) { ["x-queue-type"] = "stream" };
        await channel.QueueDeclareAsync("first", durable: true, exclusive: false, autoDelete: false, arguments);
        await server.WaitForCoordinatorAsync();
    }

    /// <summary>Deletes a stream.</summary>
    public static async Task DeleteAsync(this RabbitMqServer server, string stream)
    {
        await using IConnection connection = await ConnectAsync(server);
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.QueueDeleteAsync(stream);
    }

    /// <summary>Sends a message as it is.</summary>
    public static async Task SendAsync(this RabbitMqServer server, string stream, byte[] bytes)
    {
        await using IConnection connection = await ConnectAsync(server);
        await using IChannel channel = await connection.CreateChannelAsync(
            new CreateChannelOptions(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true));
        await channel.BasicPublishAsync("", stream, mandatory: true, bytes);
    }

    /// <summary>Receives the first message that a stream has.</summary>
    public static async Task<byte[]> ReceiveFirstAsync(this RabbitMqServer server, string stream)
    {
        var first = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using IConnection connection = await ConnectAsync(server);
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.BasicQosAsync(0, prefetchCount: 1, global: false);
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += (_, message) =>
        {
            first.TrySetResult(message.Body.ToArray());
            return Task.CompletedTask;
        };
        var arguments = new Dictionary<string, object?>(StringComparer.Ordinal) { ["x-stream-offset"] = "first" };
        await channel.BasicConsumeAsync(stream, autoAck: false, "", noLocal: false, exclusive: false, arguments, consumer);
        return await first.Task.WaitAsync(TestTimeouts.Hang);
    }

    private static Task<IConnection> ConnectAsync(RabbitMqServer server)
    {
        string[] endpoint = server.Endpoint.Split(':');
        var factory = new ConnectionFactory { HostName = endpoint[0], Port = int.Parse(endpoint[1], CultureInfo.InvariantCulture) };
        return factory.CreateConnectionAsync();
    }
}
