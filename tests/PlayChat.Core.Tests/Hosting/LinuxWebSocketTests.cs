using PlayChat.Core.Transport;
using PlayChat.TestUtilities.Transport;
using PlayChat.Transport.Linux;

namespace PlayChat.Core.Tests.Hosting;

[Trait("Tier", "Full")]
public sealed class LinuxWebSocketTests : WebSocketTests
{
    private readonly LinuxTransport _transport = NativeTransport.Create();

    protected override ITransport Transport => _transport;

    protected override void Dispose(bool disposing)
    {
        _transport.Dispose();
        base.Dispose(disposing);
    }
}
