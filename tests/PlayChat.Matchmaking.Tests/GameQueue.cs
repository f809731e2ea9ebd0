using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;

namespace PlayChat.Matchmaking.Tests;

/// <summary>The queue of a game, which notes what it was told to do.</summary>
internal sealed class GameQueue(RoomContext context, MatchRules<Find> rules) : MatchQueue<Find>(context, rules)
{
    internal static readonly TimeSpan HoldFor = TimeSpan.FromSeconds(30);

    /// <summary>The rooms of the matches, in order.</summary>
    internal List<GameMatch> Matches { get; } = [];

    /// <summary>The states that each ticket was told, in order.</summary>
    internal List<(string Name, MatchState State)> Told { get; } = [];

    /// <summary>Runs before the room of a match is created.</summary>
    internal Action OnMatching { get; set; } = static () => { };

    [Packet]
    public void OnAnswered(MatchPlayer<Find> player, Answered answer) => Answer(player, answer.Accepts);

    internal string[] Names() => [.. Members.Select(static member => member.Ticket.Name)];

    protected override void OnStatus(MatchPlayer<Find> player, MatchStatus status)
    {
        Told.Add((player.Ticket.Name, status.State));
        SendPacket(player.Session, new Told(
            status.State, status.Waited.TotalSeconds, status.TypicalWait.TotalSeconds, status.AnswerWithin.TotalSeconds));
    }

    protected override void OnMatch(IReadOnlyList<MatchSeat<Find>> seats)
    {
        OnMatching();
        Matches.Add(Rooms.Create("match", made => new GameMatch(made, seats)));
    }
}
