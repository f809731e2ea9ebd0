using System.Globalization;

namespace TriviaBot;

/// <summary>The quiz: its questions, and the points of each player. It does not know servers. Not thread-safe.</summary>
/// <param name="questions">Asked in a random order, all before one comes again.</param>
/// <param name="random">That order.</param>
internal sealed class TriviaGame(IReadOnlyList<Question> questions, Random random)
{
    private readonly Dictionary<string, int> _points = new(StringComparer.Ordinal);
    private readonly Queue<Question> _next = new();

    /// <summary>What is asked and not answered yet.</summary>
    public Question? Current { get; private set; }

    /// <summary>Moves to the next question.</summary>
    /// <returns>What to say.</returns>
    public string Ask()
    {
        if (_next.Count == 0)
        {
            Question[] shuffled = [.. questions];
            random.Shuffle(shuffled);
            foreach (Question question in shuffled)
            {
                _next.Enqueue(question);
            }
        }

        Current = _next.Dequeue();
        return Current.Text;
    }

    /// <summary>A player has said something.</summary>
    /// <returns>What to say to it; null for nothing.</returns>
    public string? Hear(string player, string words)
    {
        if (Words.Plain(words) == "score")
        {
            return Scores();
        }

        if (Current?.IsAnsweredBy(words) != true)
        {
            return null;
        }

        Current = null;
        int points = _points[player] = _points.GetValueOrDefault(player) + 1;
        return string.Create(CultureInfo.InvariantCulture, $"Right, {player}! That makes {points} {(points == 1 ? "point" : "points")}.");
    }

    /// <summary>No player knew the answer in time.</summary>
    /// <returns>What to say.</returns>
    public string GiveUp()
    {
        string? answer = Current?.Answers[0];
        Current = null;
        return $"Nobody? It is {answer}.";
    }

    private string Scores() => _points.Count == 0
        ? "Nobody has a point yet."
        : string.Join(", ", _points
            .OrderByDescending(static entry => entry.Value)
            .ThenBy(static entry => entry.Key, StringComparer.Ordinal)
            .Take(20)
            .Select(static entry => string.Create(CultureInfo.InvariantCulture, $"{entry.Key} {entry.Value}")));
}
