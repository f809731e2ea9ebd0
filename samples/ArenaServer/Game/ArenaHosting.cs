using ArenaServer.Protocol;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;

namespace ArenaServer.Game;

/// <summary>Makes any server an arena's, also one in a test.</summary>
internal static class ArenaHosting
{
    /// <param name="server">Not started yet.</param>
    /// <param name="arena">Where who joins comes in; asked for when the server has started.</param>
    public static PlayChatServer UseArena(this PlayChatServer server, Func<ArenaRoom> arena) =>
        server.UsePackets(ArenaPackets.All).OnPackets(router =>
        {
            // The [Packet] methods of this assembly, which the generator in PlayChat.Core's package has found.
            router.MapPacketHandlers();
            router.MapPacket<Join>((context, join, cancellationToken) => JoinAsync(arena(), context, join, cancellationToken));
        });

    private static async ValueTask JoinAsync(ArenaRoom arena, PacketContext context, Join join, CancellationToken cancellationToken)
    {
        JoinResult<Player> result = await arena.JoinAsync(
            context.Session, new JoinRequest(join, context.RequestId), cancellationToken: cancellationToken);
        if (!result.IsEntered)
        {
            context.Reply(new JoinAnswer(0, "", result.Reason));
        }
    }
}
