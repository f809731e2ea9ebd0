namespace PlayChat.Chat.Accounts;

/// <summary>Decides whose password is checked next. Thread-safe.</summary>
/// <remarks>
/// <para>A check takes a processor for a large part of a second, so that a flood of logins always makes a queue. The queue is fair: its
/// lanes are served by <see cref="LoginStanding"/>, and in a lane the networks take turns, however many logins each has. So that no lane
/// waits without end, each fourth turn goes to the second lane first, and each sixteenth to the third.</para>
/// <para>A network has at most <see cref="MaxAlike"/> logins of one name in the queue. At the networks where a name is known, it has at
/// most <see cref="MaxFamiliar"/> in all: a single account on many machines does not delay the other players. Elsewhere a name has no such
/// bound, because strangers would take the places of its owner; <see cref="LoginThrottle"/> bounds their failures instead.</para>
/// <para>When the queue is full, a login displaces a lower-priority one: in the last lane that has any, one of the network that has the
/// most there. The lane of the login itself counts only if its network has fewer than that one.</para>
/// </remarks>
/// <param name="max">Logins that may wait or be checked. Read for each login, so that it may change.</param>
/// <param name="concurrency">Logins that are checked at once.</param>
internal sealed class LoginQueue(Func<int> max, int concurrency)
{
    /// <summary>Logins with one name from one network that may wait or be checked.</summary>
    public const int MaxAlike = 4;

    /// <summary>Logins with one name that may wait or be checked, from all networks where the name is known.</summary>
    public const int MaxFamiliar = 8;

    private static readonly LoginStanding[] s_usual = [LoginStanding.Familiar, LoginStanding.New, LoginStanding.Suspect];
    private static readonly LoginStanding[] s_fourth = [LoginStanding.New, LoginStanding.Familiar, LoginStanding.Suspect];
    private static readonly LoginStanding[] s_sixteenth = [LoginStanding.Suspect, LoginStanding.Familiar, LoginStanding.New];

    private readonly Tally<LoginOrigin> _alike = new(); // waiting and running; guards itself and all below
    private readonly Tally<string> _familiar = new(); // the same, by the key of the name
    private readonly Lane[] _lanes = [new(), new(), new()];
    private int _running;
    private int _waiting;
    private uint _turns;

    /// <summary>Logins that wait or are being checked.</summary>
    public int Pending
    {
        get
        {
            lock (_alike)
            {
                return _running + _waiting;
            }
        }
    }

    /// <summary>Takes a place.</summary>
    /// <returns><see langword="null"/> when there is no place: the server is busy. Otherwise the caller disposes the place.</returns>
    public LoginPlace? TryEnter(LoginOrigin origin, LoginStanding standing)
    {
        lock (_alike)
        {
            if (_alike.Of(origin) >= MaxAlike
                || (standing == LoginStanding.Familiar && _familiar.Of(origin.NameKey) >= MaxFamiliar)
                || (_running + _waiting >= max() && !TryMakeRoom(origin.Network, standing)))
            {
                return null;
            }

            var place = new LoginPlace(this, origin, standing);
            _alike.Add(origin);
            if (standing == LoginStanding.Familiar)
            {
                _familiar.Add(origin.NameKey);
            }

            _lanes[(int)standing].Add(place);
            _waiting++;
            Serve();
            return place;
        }
    }

    internal void Leave(LoginPlace place)
    {
        lock (_alike)
        {
            switch (place.HasTurn)
            {
                case null: // its peer has gone
                    _lanes[(int)place.Standing].Remove(place);
                    EndWait(place, hasTurn: false);
                    break;
                case true:
                    _running--;
                    break;
                default: // another login took its place, and it is counted no more
                    return;
            }

            Forget(place);
            Serve();
        }
    }

    private void Serve()
    {
        while (_running < concurrency && _waiting > 0)
        {
            _turns++;
            LoginStanding[] order = _turns % 16 == 0 ? s_sixteenth : _turns % 4 == 0 ? s_fourth : s_usual;
            LoginPlace place = order.Select(standing => _lanes[(int)standing].TakeNext()).First(static next => next is not null)!;
            _running++;
            EndWait(place, hasTurn: true);
        }
    }

    private bool TryMakeRoom(IPAddress network, LoginStanding standing)
    {
        for (int i = _lanes.Length - 1; i >= (int)standing; i--)
        {
            Lane lane = _lanes[i];
            if (lane.IsEmpty)
            {
                continue;
            }

            if (i == (int)standing && lane.CountOf(network) + 1 >= lane.LargestCount)
            {
                return false;
            }

            LoginPlace displaced = lane.TakeNewestOfLargest();
            Forget(displaced);
            EndWait(displaced, hasTurn: false);
            return true;
        }

        return false;
    }

    private void EndWait(LoginPlace place, bool hasTurn)
    {
        _waiting--;
        place.EndWait(hasTurn);
    }

    private void Forget(LoginPlace place)
    {
        _alike.Remove(place.Origin);
        if (place.Standing == LoginStanding.Familiar)
        {
            _familiar.Remove(place.Origin.NameKey);
        }
    }

    /// <summary>The waiting logins of one standing. Its networks take turns.</summary>
    private sealed class Lane
    {
        private readonly Dictionary<IPAddress, LinkedList<LoginPlace>> _waiting = []; // none is empty
        private readonly LinkedList<IPAddress> _networks = []; // those of _waiting; the first is next

        public bool IsEmpty => _networks.Count == 0;

        // Looked for only when the queue is full. As many networks as there are logins at most, so it takes microseconds.
        public int LargestCount => _waiting.Values.Max(static places => places.Count);

        public int CountOf(IPAddress network) => _waiting.TryGetValue(network, out LinkedList<LoginPlace>? places) ? places.Count : 0;

        public void Add(LoginPlace place)
        {
            if (!_waiting.TryGetValue(place.Origin.Network, out LinkedList<LoginPlace>? places))
            {
                _waiting[place.Origin.Network] = places = [];
                _networks.AddLast(place.Origin.Network);
            }

            places.AddLast(place);
        }

        public void Remove(LoginPlace place)
        {
            LinkedList<LoginPlace> places = _waiting[place.Origin.Network];
            places.Remove(place);
            if (places.Count == 0)
            {
                _waiting.Remove(place.Origin.Network);
                _networks.Remove(place.Origin.Network);
            }
        }

        public LoginPlace? TakeNext()
        {
            if (_networks.First is not { } network)
            {
                return null;
            }

            LoginPlace place = _waiting[network.Value].First!.Value;
            _networks.Remove(network);
            _networks.AddLast(network); // behind the others, for its next login
            Remove(place);
            return place;
        }

        public LoginPlace TakeNewestOfLargest()
        {
            LoginPlace place = _waiting.Values.MaxBy(static places => places.Count)!.Last!.Value;
            Remove(place);
            return place;
        }
    }
}
