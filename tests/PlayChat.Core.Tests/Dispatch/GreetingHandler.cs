using PlayChat.Core.Dispatch;

namespace PlayChat.Core.Tests.Dispatch;

/// <summary>A handler with a constructor argument.</summary>
internal sealed class GreetingHandler(Greeting greeting) : IPacketHandler<string>
{
    internal static TextPacket Answer { get; } = new(100);

    public ValueTask HandleAsync(PacketContext context, string message, CancellationToken cancellationToken)
    {
        context.Reply($"{greeting.Text} {message}", Answer);
        return default;
    }
}
