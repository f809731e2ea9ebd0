using PlayChat.Core.Dispatch;

namespace PlayChat.Generators.Tests.Game;

/// <summary>Made for each message, with the services of a scope of its own.</summary>
[Scoped]
internal sealed class CountHandlers(Counter counter)
{
    [Packet(PacketId.Count)]
    public async ValueTask OnCount(PacketContext context, string message)
    {
        await Task.Yield();
        context.Reply($"{message} {counter.Number}", TextPacket.Answer);
    }
}
