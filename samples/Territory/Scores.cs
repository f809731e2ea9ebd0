using PlayChat.Players;

namespace Territory;

/// <summary>The best players of all rounds, in a database. A player stands there once, with its best round.</summary>
internal sealed class Scores(IPlayerStore store)
{
    /// <summary>Adds how many cells players have painted in a round.</summary>
    /// <returns>The best ten. Equal scores share a rank.</returns>
    public async Task<IReadOnlyList<RankedScore>> AddAsync(IEnumerable<(string Name, int Cells)> players)
    {
        foreach ((string name, int cells) in players)
        {
            await store.AppendScoreAsync(new PlayerScore("cells", name, Run: "best", cells));
        }

        return await store.ListTopAsync("cells", limit: 10);
    }
}
