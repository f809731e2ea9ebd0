namespace PlayChat.Chat.Accounts;

/// <summary>How many there are of each key. Not thread-safe.</summary>
internal sealed class Tally<TKey>
    where TKey : notnull
{
    private readonly Dictionary<TKey, int> _counts = []; // none is 0

    public int Of(TKey key) => _counts.GetValueOrDefault(key);

    public void Add(TKey key) => _counts[key] = Of(key) + 1;

    /// <returns>Whether it was the last of its key.</returns>
    public bool Remove(TKey key)
    {
        if (Of(key) is var count and > 1)
        {
            _counts[key] = count - 1;
            return false;
        }

        return _counts.Remove(key);
    }
}
