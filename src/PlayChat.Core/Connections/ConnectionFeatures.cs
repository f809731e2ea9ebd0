namespace PlayChat.Core.Connections;

/// <summary>What the layers above and the application keep with a connection: one object for each type.</summary>
/// <remarks>
/// <para>A mutable struct, embedded in its <see cref="Connection"/>: never copied. Thread-safe.</para>
/// <para>
/// Invariant: the array is only replaced, never changed, and the object at the index of a type is of that type. So a look-up takes no lock
/// and no type check.
/// </para>
/// </remarks>
internal struct ConnectionFeatures
{
    private static int s_types;

    private object?[]? _values;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal T? Get<T>()
        where T : class
    {
        object?[]? values = Volatile.Read(ref _values);
        int index = Key<T>.Index;
        return values is not null && index < values.Length ? Unsafe.As<T?>(values[index]) : null;
    }

    /// <summary>Puts an object in the place of its type.</summary>
    internal void Set<T>(T? value)
        where T : class
    {
        int index = Key<T>.Index;
        object?[]? before;
        object?[] after;
        do
        {
            before = Volatile.Read(ref _values);
            after = new object?[Math.Max(before?.Length ?? 0, index + 1)];
            before?.CopyTo(after, 0);
            after[index] = value;
        }
        while (!ReferenceEquals(Interlocked.CompareExchange(ref _values, after, before), before));
    }

    /// <summary>The number of a type. Types are numbered as they are first used, so those that a process uses have small numbers.</summary>
    private static class Key<T>
    {
        internal static readonly int Index = Interlocked.Increment(ref s_types) - 1;
    }
}
