using PlayChat.Core.Sessions;

namespace PlayChat.Simulation;

/// <summary>What has become of the tickets and the seats of a world.</summary>
internal sealed class TicketLog(World world)
{
    private readonly List<(Session Session, int Ends)> _tickets = [];

    /// <summary>A player asks for a match.</summary>
    /// <returns>The number of its ticket.</returns>
    internal int Add(Session session)
    {
        _tickets.Add((session, 0));
        return _tickets.Count - 1;
    }

    /// <summary>A ticket has got its seat, or its player was told why not. It happens once.</summary>
    internal void End(int ticket, string how)
    {
        (Session session, int ends) = _tickets[ticket];
        _tickets[ticket] = (session, ends + 1);
        world.Count($"tickets: {how}");
        world.Note($"queue: ticket {ticket} of session {session.Id} ends: {how}");
        world.Judge.Require(ends == 0, "one match", $"ticket {ticket} has ended twice, the second time: {how}");
    }

    /// <summary>Each ticket has ended, or its session has.</summary>
    internal void CheckAllEnded()
    {
        for (int ticket = 0; ticket < _tickets.Count; ticket++)
        {
            (Session session, int ends) = _tickets[ticket];
            world.Judge.Require(
                ends == 1 || session.HasEnded,
                "liveness",
                $"ticket {ticket} of session {session.Id} was neither matched nor told otherwise");
        }
    }
}
