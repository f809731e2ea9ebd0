using PlayChat.Core.Transport;

namespace PlayChat.Core.Tests.Hosting;

public sealed class SocketTlsTests : TlsTests
{
    protected override ITransport Transport => SocketTransport.Instance;
}
