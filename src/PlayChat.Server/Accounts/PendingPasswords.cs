using System.Net;

namespace PlayChat.Server.Accounts;

/// <summary>
/// Counts password checks that wait or run: so many in all and, while half of those are taken, a tenth for one network. Thread-safe.
/// </summary>
/// <remarks>Many logins from behind one router find half of the places; no single network can take all of them.</remarks>
internal sealed class PendingPasswords(int max)
{
    private readonly Dictionary<IPAddress, int> _ofNetwork = []; // guarded by itself, as is the next
    private int _all;

    /// <summary>Takes a place, if there is one left for the network.</summary>
    /// <param name="network">See <see cref="LoginOrigin.Network"/>.</param>
    public bool TryTake(IPAddress network)
    {
        lock (_ofNetwork)
        {
            int own = _ofNetwork.GetValueOrDefault(network);
            if (_all >= max || (_all >= max / 2 && own >= Math.Max(1, max / 10)))
            {
                return false;
            }

            _ofNetwork[network] = own + 1;
            _all++;
            return true;
        }
    }

    /// <summary>Gives one back that was taken.</summary>
    public void GiveBack(IPAddress network)
    {
        lock (_ofNetwork)
        {
            _all--;
            if (--_ofNetwork[network] == 0)
            {
                _ofNetwork.Remove(network);
            }
        }
    }
}
