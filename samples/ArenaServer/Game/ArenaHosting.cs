using ArenaServer.Protocol;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;

namespace ArenaServer.Game;

/// <summary>Maps the arena's packets on any server, also on one in a test.</summary>
internal static class ArenaHosting
{
    /// <param name="server">A server that is not started, with a room named <see cref="ArenaRoom.Title"/>.</param>
    public static PlayChatServer UseArena(this PlayChatServer server) =>
        server.UsePackets(ArenaPackets.All).OnPackets(static router => router.MapPacketHandlers());
}
