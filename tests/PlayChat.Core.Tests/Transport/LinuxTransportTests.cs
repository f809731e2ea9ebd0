using PlayChat.Core.Transport;
using PlayChat.Core.Transport.Linux;

namespace PlayChat.Core.Tests.Transport;

public sealed class LinuxTransportTests : TcpTransportTests, IDisposable
{
    private readonly LinuxTransport _transport = NativeTransport.Create();

    protected override ITransport Transport => _transport;

    public void Dispose() => _transport.Dispose();
}
