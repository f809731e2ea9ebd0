using PlayChat.Matchmaking;

namespace PlayChat.Simulation;

/// <summary>What the seed has drawn for the queue of a world.</summary>
/// <param name="Rules">The rules of the queue. A ticket expires, so that no player waits for ever.</param>
/// <param name="HoldFor">How long a seat waits for its player.</param>
internal sealed record QueuePlan(MatchRules<Wire> Rules, TimeSpan HoldFor)
{
    // The seeds that the documentation and the file of seeds name are lower: their worlds have no queue, and keep their meaning.
    private const ulong FirstSeed = 1000;

    internal static QueuePlan? Draw(ulong seed)
    {
        var dice = new Dice(seed ^ 0x5EA75EA7);
        if (seed < FirstSeed || dice.Chance(0.5))
        {
            return null;
        }

        double window = dice.Pick(0, 5, 1000);
        bool mayStartShort = dice.Chance(0.3);
        return new QueuePlan(
            new MatchRules<Wire>
            {
                TeamSizes = dice.Pick<int[]>([1, 1], [2, 2], [3], [1, 2]),
                Rating = static ticket => ticket.B % 10,
                Window = waited => window + waited.TotalSeconds,
                PassInterval = TimeSpan.FromMilliseconds(dice.Pick(10, 200, 1000)),
                AcceptWithin = TimeSpan.FromSeconds(dice.Pick(0, 0, 1, 5)),
                ExpireAfter = TimeSpan.FromSeconds(dice.Pick(3, 20)),
                StatusInterval = TimeSpan.FromSeconds(dice.Pick(1, 10)),
                MayStartShort = players => mayStartShort && players > 1,
            },
            TimeSpan.FromSeconds(dice.Pick(1, 10, 30)));
    }
}
