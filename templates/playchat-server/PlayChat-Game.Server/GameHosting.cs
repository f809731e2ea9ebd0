namespace PlayChat_Game.Server;

/// <summary>Makes any server the game's, also one in a test.</summary>
internal static class GameHosting
{
    public static PlayChatServer UseGame(this PlayChatServer server) => server.UsePackets(GamePackets.All).OnPackets(router =>
    {
        router.MapPacketHandlers(); // every method with [Packet] in this project: a source generator has found them
        router.MapPacket<Join>(async (context, join, cancellationToken) =>
        {
            // There is one lobby. In a game with many rooms, Join names the room, and context.Rooms.Find(id) finds it.
            Lobby lobby = context.Rooms.Get<Lobby>(Lobby.RoomName);
            JoinResult<Player> result = await lobby.JoinAsync(context.Session, join, cancellationToken: cancellationToken);
            context.Reply(new Joined(result.Reason, result.Member?.Others ?? []));
        });
    });
}
