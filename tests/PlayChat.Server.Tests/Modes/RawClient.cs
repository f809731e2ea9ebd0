using System.Net;
using System.Threading.Channels;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Modes;

/// <summary>One connection that speaks plain frames.</summary>
internal sealed class RawClient : IAsyncDisposable
{
    private readonly Channel<(ushort SenderId, byte[] Body)> _received = Channel.CreateUnbounded<(ushort SenderId, byte[] Body)>();
    private readonly PlayChatConnector _connector;

    private RawClient(FrameFormat format)
    {
        _connector = new PlayChatConnector(format, (_, frame) => _received.Writer.TryWrite((frame.Header.SenderId, frame.ToArray())));
    }

    public Connection Connection { get; private set; } = null!;

    public static async Task<RawClient> ConnectAsync(FrameFormat format, IPEndPoint endPoint)
    {
        var client = new RawClient(format);
        client.Connection = await client._connector.ConnectAsync(endPoint).WaitAsync(TestTimeouts.Hang);
        return client;
    }

    public Task<(ushort SenderId, byte[] Body)> NextAsync() => _received.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);

    public ValueTask DisposeAsync() => _connector.DisposeAsync();
}
