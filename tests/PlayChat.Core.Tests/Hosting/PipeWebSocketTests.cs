using PlayChat.Core.Transport;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Core.Tests.Hosting;

[Trait("Tier", "Full")]
public sealed class PipeWebSocketTests : WebSocketTests
{
    protected override ITransport Transport { get; } = new PipedSocketTransport();
}
