using System.Collections;

namespace PlayChat.Generators;

/// <summary>An array that is equal to another by its items, as the compiler's cache of steps needs it.</summary>
internal readonly struct EquatableArray<T>(T[] items) : IEquatable<EquatableArray<T>>, IEnumerable<T>
    where T : IEquatable<T>
{
    private readonly T[] _items = items;

    public bool Equals(EquatableArray<T> other) => _items.SequenceEqual(other._items);

    public override bool Equals(object? obj) => obj is EquatableArray<T> other && Equals(other);

    public override int GetHashCode() => _items.Aggregate(17, static (hash, item) => unchecked((hash * 31) + item.GetHashCode()));

    public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)_items).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
