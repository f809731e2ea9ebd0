using System.Net;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Core.Tests.Transport;

public sealed class InMemoryTransportTests : TransportContractTests
{
    private readonly InMemoryTransport _transport = new();

    protected override ITransport Transport => _transport;

    protected override EndPoint AnyEndPoint => new IPEndPoint(IPAddress.Loopback, 0);
}
