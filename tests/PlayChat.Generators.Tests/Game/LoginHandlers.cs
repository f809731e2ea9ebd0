using PlayChat.Core.Dispatch;
using PlayChat.Core.Sessions;

namespace PlayChat.Generators.Tests.Game;

[AllowBeforeLogin]
internal sealed class LoginHandlers(World world)
{
    [Packet(PacketId.Ping)]
    internal static void OnPing(PacketContext context, string message) => context.Reply(message, TextPacket.Answer);

    [Packet(PacketId.Login)]
    internal void OnLogin(PacketContext context, string name)
    {
        world.Sessions.Bind(context.Session, new SessionUser(1, name));
        context.Reply($"welcome {name}", TextPacket.Answer);
    }
}
