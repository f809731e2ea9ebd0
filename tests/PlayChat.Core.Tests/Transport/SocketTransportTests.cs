using PlayChat.Core.Transport;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Core.Tests.Transport;

public sealed class SocketTransportTests : TcpTransportTests
{
    protected override ITransport Transport => SocketTransport.Instance;
}
