using ArenaServer.Protocol;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace ArenaServer.Game;

/// <summary>Maps the arena's packets on any server, also on one in a test.</summary>
internal static class ArenaHosting
{
    /// <param name="server">A server that is not started, with a room named <see cref="ArenaRoom.Title"/>.</param>
    public static PlayChatServer UseArena(this PlayChatServer server)
    {
        server.Options.Rooms.MaxMembers = ArenaRules.MaxPlayers; // players that are away are still members
        server.Options.Sessions.ResumeWindow = ArenaRules.SeatKept;
        return server.UsePackets(ArenaPackets.All).OnPackets(router =>
        {
            router.MapPacketHandlers();
            router.MapPacket<Join>(async (context, join, cancellationToken) =>
            {
                JoinResult<Player> result = await context.Rooms.Get<ArenaRoom>(ArenaRoom.Title)
                    .JoinAsync(context.Session, join, cancellationToken: cancellationToken);
                context.Reply(result.IsJoined
                    ? new JoinAnswer(context.Session.Id, await server.Sessions.IssueResumeTokenAsync(context.Session))
                    : new JoinAnswer(0, default, result.Reason));
            });
            router.MapPacket<Resume>(async (context, resume, _) =>
            {
                // The client gets the answer first. Then the room calls OnReturn, which sends the state of the arena.
                Resumption? resumption = await server.Sessions.ResumeAsync(context.Connection, resume.Token, moved =>
                {
                    context.Reply(new JoinAnswer(moved.Session.Id, moved.Token));
                    return default;
                });
                if (resumption is null)
                {
                    context.Reply(new JoinAnswer(0, default, "The arena does not keep this seat any more. Join again."));
                }
            });
            router.MapPacket<Goodbye>(async (context, goodbye, cancellationToken) =>
            {
                await server.Sessions.EndAsync(context.Session, cancellationToken: cancellationToken);
                context.Connection.Close();
            });
        });
    }
}
