namespace PlayChat.State;

/// <summary>A set of small numbers, one bit for each.</summary>
/// <remarks>A mutable struct: embed it and never copy it.</remarks>
internal struct NumberSet
{
    private ulong[] _words = [];

    public NumberSet()
    {
    }

    /// <summary>Bit i of word w stands for number 64 w + i. Words that are not there are zero.</summary>
    internal readonly ReadOnlySpan<ulong> Words => _words;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly bool Has(int number)
    {
        ulong[] words = _words;
        return (uint)(number >> 6) < (uint)words.Length && (words[number >> 6] & (1UL << number)) != 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Add(int number)
    {
        if ((uint)(number >> 6) >= (uint)_words.Length)
        {
            Array.Resize(ref _words, Math.Max((number >> 6) + 1, 2 * _words.Length));
        }

        _words[number >> 6] |= 1UL << number;
    }

    internal readonly void Remove(int number)
    {
        if ((uint)(number >> 6) < (uint)_words.Length)
        {
            _words[number >> 6] &= ~(1UL << number);
        }
    }

    internal readonly void Clear() => Array.Clear(_words, 0, _words.Length);
}
