namespace PlayChat.Options;

/// <summary>Says that a key of the configuration does not exist, and which one was probably meant.</summary>
internal static class UnknownKey
{
    /// <summary>The sentence that tells the user about the misspelled key.</summary>
    /// <param name="key">The key, and where it was set.</param>
    /// <param name="similar">The known key that is most like it, if there is one.</param>
    /// <param name="list">Where all keys are listed.</param>
    public static string Describe(string key, string? similar, string list) =>
        $"There is no key {key}{(similar is null ? $"; {list} lists all." : $"; did you mean {similar}?")}";

    /// <summary>
    /// The known word that is most like an unknown one, or null when none is. A key in the wrong section is most like the one of that name.
    /// </summary>
    public static string? FindSimilar(string word, IEnumerable<string> known)
    {
        int colon = word.LastIndexOf(':');
        if (colon >= 0
            && known.Where(key => key.EndsWith(word[colon..], StringComparison.OrdinalIgnoreCase)).ToList() is [var only])
        {
            return only;
        }

        (string Word, int Distance) best = known
            .Select(candidate => (Word: candidate, Distance: Distance(word.ToUpperInvariant(), candidate.ToUpperInvariant())))
            .MinBy(static candidate => candidate.Distance);
        // Two letters that changed places are two changes.
        return best.Distance <= Math.Clamp(word.Length / 4, word.Length < 4 ? 1 : 2, 5) ? best.Word : null;
    }

    // Levenshtein's: how many letters must be changed, added or left out.
    private static int Distance(string a, string b)
    {
        int[] row = Enumerable.Range(0, b.Length + 1).ToArray();
        for (int i = 1; i <= a.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.Length; j++)
            {
                int changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(changed, Math.Min(row[j], row[j - 1]) + 1);
            }
        }

        return row[b.Length];
    }
}
