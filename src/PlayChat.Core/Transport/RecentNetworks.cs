namespace PlayChat.Core.Transport;

/// <summary>A bounded table with a value for each network that was seen lately. Not thread-safe.</summary>
/// <remarks>
/// Two generations. A value that is looked up moves to the younger one. When the time to keep has passed, or the younger generation is
/// full, it becomes the older one, and the older one is dropped. A value is therefore kept for at least that time after its last use,
/// unless more networks than <paramref name="capacity"/> appear meanwhile. Nothing is ever searched or sorted.
/// </remarks>
/// <param name="capacity">The number of networks in a generation.</param>
internal sealed class RecentNetworks<TValue>(int capacity)
    where TValue : struct
{
    private Dictionary<PeerNetwork, TValue> _younger = [];
    private Dictionary<PeerNetwork, TValue> _older = [];
    private long _began; // the timestamp at which the younger generation began

    internal int Count => _younger.Count + _older.Count;

    /// <summary>Finds the value of a network, or adds the default one. The time to keep is in ticks of the timestamp.</summary>
    /// <returns>A reference to the value. Do not use it after the next call.</returns>
    internal ref TValue Find(PeerNetwork network, long now, long keep)
    {
        if (now - _began >= keep || _younger.Count >= capacity)
        {
            (_younger, _older) = (_older, _younger);
            _younger.Clear();
            _began = now;
        }

        ref TValue value = ref CollectionsMarshal.GetValueRefOrAddDefault(_younger, network, out bool isKnown);
        if (!isKnown && _older.Remove(network, out TValue older))
        {
            value = older;
        }

        return ref value;
    }
}
