namespace PlayChat.Client.Interaction;

/// <summary>What comes from the keyboard: a key, text that was pasted, or lines that came all at once.</summary>
/// <param name="Key">The key; meaningless with one of the others.</param>
/// <param name="Pasted">The pasted text with \n between its lines; null for a key.</param>
/// <param name="Burst">
/// The keys of several lines that came faster than a person types: a paste into a terminal without bracketed paste. Null for a key.
/// </param>
internal readonly record struct KeyInput(ConsoleKeyInfo Key, string? Pasted = null, IReadOnlyList<ConsoleKeyInfo>? Burst = null)
{
    /// <summary>Keys that came all at once as inputs: one burst when they have several lines, otherwise each for itself.</summary>
    public static IEnumerable<KeyInput> Of(IReadOnlyList<ConsoleKeyInfo> keys)
    {
        bool hasLines = keys.SkipWhile(static key => !IsEnter(key))
            .Any(static key => !char.IsControl(key.KeyChar) && !char.IsWhiteSpace(key.KeyChar));
        return hasLines ? [new KeyInput(default, Burst: keys)] : keys.Select(static key => new KeyInput(key));
    }

    /// <summary>
    /// The same where the first line answers a question: its keys are each for themselves, and what comes next may be for another question.
    /// </summary>
    public static IEnumerable<KeyInput> OfAnswer(IReadOnlyList<ConsoleKeyInfo> keys)
    {
        int end = keys.TakeWhile(static key => !IsEnter(key)).Count() + 1;
        return keys.Take(end).Select(static key => new KeyInput(key)).Concat(Of([.. keys.Skip(end)]));
    }

    /// <summary>The text of keys, with \n for each Enter.</summary>
    public static string TextOf(IEnumerable<ConsoleKeyInfo> keys) =>
        string.Concat(keys.Select(static key => IsEnter(key) ? '\n' : key.KeyChar == '\t' ? ' ' : key.KeyChar)
            .Where(static c => c == '\n' || !char.IsControl(c)));

    public static bool IsEnter(ConsoleKeyInfo key) => key.Key == ConsoleKey.Enter || key.KeyChar is '\r' or '\n';
}
