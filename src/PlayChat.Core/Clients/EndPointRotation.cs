namespace PlayChat.Core.Clients;

/// <summary>
/// The servers that one client may connect to, and the one with which its next attempt begins. For
/// <c>PlayChatConnector.ConnectLastingAsync</c>.
/// </summary>
/// <remarks>Thread-safe. Make one for each client: it remembers where that client is.</remarks>
public sealed class EndPointRotation
{
    private readonly object _gate = new();
    private readonly EndPoint[] _endPoints;
    private EndPoint? _preferred; // guarded by _gate; need not be one of the list
    private int _index; // guarded by _gate
    private int _changes; // written under _gate

    /// <summary>Begins with the first endpoint of a list.</summary>
    /// <param name="endPoints">At least one; copied.</param>
    /// <param name="first">The index of the endpoint to begin with. Default 0.</param>
    /// <exception cref="ArgumentException">The list is empty.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no endpoint with this index.</exception>
    public EndPointRotation(IReadOnlyList<EndPoint> endPoints, int first = 0)
    {
        ArgumentNullException.ThrowIfNull(endPoints);
        if (endPoints.Count == 0)
        {
            throw new ArgumentException("The list of endpoints is empty.", nameof(endPoints));
        }

        ArgumentOutOfRangeException.ThrowIfNegative(first);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(first, endPoints.Count);
        _endPoints = [.. endPoints];
        _index = first;
    }

    /// <summary>The endpoint of the present connection, or the first endpoint of the next attempt.</summary>
    public EndPoint Current
    {
        get
        {
            lock (_gate)
            {
                return _preferred ?? _endPoints[_index];
            }
        }
    }

    /// <summary>How many endpoints an attempt tries at most.</summary>
    internal int Count
    {
        get
        {
            lock (_gate)
            {
                return _endPoints.Length + (_preferred is null ? 0 : 1);
            }
        }
    }

    /// <summary>Rises with each change.</summary>
    internal int Changes => Volatile.Read(ref _changes);

    /// <summary>Lets the next attempt begin with the next endpoint of the list, for example because this server is stopping.</summary>
    public void MoveOn()
    {
        lock (_gate)
        {
            if (_preferred is null)
            {
                _index = (_index + 1) % _endPoints.Length;
            }

            _preferred = null;
            _changes++;
        }
    }

    /// <summary>Lets the next attempt begin with an endpoint that a server has named. If it fails, the list follows.</summary>
    /// <param name="endPoint">Any endpoint.</param>
    public void Prefer(EndPoint endPoint)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        lock (_gate)
        {
            int index = Array.IndexOf(_endPoints, endPoint);
            _index = index < 0 ? _index : index;
            _preferred = index < 0 ? endPoint : null;
            _changes++;
        }
    }
}
