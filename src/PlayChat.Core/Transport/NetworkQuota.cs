namespace PlayChat.Core.Transport;

/// <summary>Counts what each network holds at one time, such as connections or handshakes, up to a limit. Thread-safe.</summary>
/// <remarks>A network has an entry only while it holds something, so the table never has more entries than there are holds.</remarks>
internal sealed class NetworkQuota
{
    private readonly Dictionary<PeerNetwork, int> _held = []; // guarded by itself

    /// <summary>Takes one place for a network. The limit may change from call to call.</summary>
    /// <returns><see langword="false"/> if the network holds that many already. Otherwise call <see cref="Leave"/> once.</returns>
    internal bool TryEnter(PeerNetwork network, int limit)
    {
        lock (_held)
        {
            if (_held.GetValueOrDefault(network) >= limit)
            {
                return false;
            }

            CollectionsMarshal.GetValueRefOrAddDefault(_held, network, out _)++;
            return true;
        }
    }

    /// <summary>Gives one place of a network back.</summary>
    /// <exception cref="InvalidOperationException">The network holds no place.</exception>
    internal void Leave(PeerNetwork network)
    {
        lock (_held)
        {
            int held = _held.GetValueOrDefault(network);
            if (held > 1)
            {
                _held[network] = held - 1;
            }
            else if (!_held.Remove(network))
            {
                throw new InvalidOperationException($"{network} holds no place.");
            }
        }
    }

    internal int Networks
    {
        get
        {
            lock (_held)
            {
                return _held.Count;
            }
        }
    }
}
