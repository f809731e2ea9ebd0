namespace PlayChat.Core.WebSockets;

/// <summary>The values of a list such as <c>keep-alive, Upgrade</c>, without the space around them. Empty values are left out.</summary>
/// <param name="text">The list.</param>
internal ref struct CommaList(ReadOnlySpan<char> text)
{
    private ReadOnlySpan<char> _rest = text;

    public ReadOnlySpan<char> Current { get; private set; } = default;

    public readonly CommaList GetEnumerator() => this;

    public bool MoveNext()
    {
        Current = default;
        while (Current.IsEmpty && !_rest.IsEmpty)
        {
            int comma = _rest.IndexOf(',');
            Current = (comma < 0 ? _rest : _rest[..comma]).Trim();
            _rest = comma < 0 ? default : _rest[(comma + 1)..];
        }

        return !Current.IsEmpty;
    }

    internal readonly bool Contains(ReadOnlySpan<char> value, StringComparison comparison)
    {
        foreach (ReadOnlySpan<char> own in this)
        {
            if (own.Equals(value, comparison))
            {
                return true;
            }
        }

        return false;
    }
}
