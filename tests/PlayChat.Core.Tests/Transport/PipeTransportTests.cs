using System.Net;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Core.Tests.Transport;

public sealed class PipeTransportTests : TransportContractTests
{
    private readonly PipeTransport _transport = new();

    protected override ITransport Transport => _transport;

    protected override EndPoint AnyEndPoint => new IPEndPoint(IPAddress.Loopback, 0);
}
