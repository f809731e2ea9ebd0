using PlayChat.Core.Transport;

namespace PlayChat.Core.Tests.Hosting;

public sealed class SocketWebSocketTests : WebSocketTests
{
    protected override ITransport Transport => SocketTransport.Instance;
}
