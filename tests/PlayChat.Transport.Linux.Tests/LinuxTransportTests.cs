using PlayChat.Core.Transport;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Transport.Linux.Tests;

public sealed class LinuxTransportTests : TcpTransportTests, IDisposable
{
    private readonly LinuxTransport _transport = NativeTransport.Create();

    protected override ITransport Transport => _transport;

    public void Dispose() => _transport.Dispose();
}
