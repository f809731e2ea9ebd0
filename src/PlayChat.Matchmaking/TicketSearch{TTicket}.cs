namespace PlayChat.Matchmaking;

/// <summary>
/// The tickets of a queue, and the search for matches among them. The oldest ticket chooses first: it takes those next to it in rating,
/// within its window, that fill the teams. A pass allocates only for the matches that it finds.
/// </summary>
/// <remarks>
/// Invariant during a pass: <c>_ratings</c> has the ratings of the tickets that take part, ascending, in their <em>places</em>;
/// <c>_order</c> has the index in <c>_tickets</c> of each place, and <c>_places</c> is the inverse, -1 for a ticket that does not take part
/// or was taken. <c>_before</c> and <c>_after</c> link the places that are free. Arrays of numbers instead of objects: at 100,000 tickets
/// the time of a pass is that of its cache misses. For the same reason a ticket that <c>Fits</c> has kept from a match is not compared
/// again while its candidates are the same.
/// </remarks>
internal sealed class TicketSearch<TTicket>
{
    private readonly MatchRules<TTicket> _rules;
    private readonly TimeProvider _time;
    private readonly int _seats; // of a match
    private readonly List<WaitingTicket<TTicket>> _tickets = []; // by age; what has ended stays until the next pass
    private readonly int[] _candidates; // places, the nearest in rating first, that of the ticket that chooses at the front
    private readonly int[] _free; // seats of each team
    private readonly double[] _strength; // the ratings that each team has so far
    private readonly (int Place, int Team)[] _chosen;
    private double[] _ratings = [];
    private int[] _order = [];
    private int[] _sizes = []; // by place
    private int[] _numbers = []; // by place
    private int[] _places = [];
    private int[] _before = [];
    private int[] _after = [];
    private int _added; // tickets so far
    private int _taking; // tickets that take part in the pass
    private long _allSizes; // a bit for each size of the tickets that take part
    private int _candidateCount;
    private int _candidatePlayers;
    private int _chosenCount;
    private int _freeSeats;
    private int _below; // the next candidate on either side
    private int _above;
    private double _window;
    private bool _isExhausted; // there are no further candidates
    private bool _isShort; // whether seats may stay free
    private int _steps; // that the choice may still take

    internal TicketSearch(MatchRules<TTicket> rules, TimeProvider time)
    {
        _rules = rules;
        _time = time;
        _seats = rules.TeamSizes.Sum();
        // Twice the players of a match leave a choice where parties or Fits rule some of them out, and bound what they cost.
        _candidates = new int[(2 * _seats) + 16];
        _free = new int[rules.TeamSizes.Count];
        _strength = new double[_free.Length];
        _chosen = new (int, int)[_seats];
    }

    /// <summary>The tickets by age, including those that have ended since the last pass.</summary>
    internal IReadOnlyList<WaitingTicket<TTicket>> Tickets => _tickets;

    internal void Add(WaitingTicket<TTicket> ticket)
    {
        ticket.Number = ++_added;
        _tickets.Add(ticket);
    }

    /// <summary>Makes a pass over all tickets.</summary>
    /// <param name="found">Gets the matches. Their tickets have the offer, so that no other pass takes them.</param>
    /// <param name="expired">Gets the tickets that have found no match before their deadline.</param>
    internal void Run(List<MatchOffer<TTicket>> found, List<WaitingTicket<TTicket>> expired)
    {
        Prepare();
        long now = _time.GetTimestamp();
        for (int i = 0; i < _tickets.Count; i++)
        {
            WaitingTicket<TTicket> ticket = _tickets[i];
            if (ticket.Offer is not null)
            {
                continue;
            }

            TimeSpan waited = _time.GetElapsedTime(ticket.Since, now);
            bool isLate = waited >= _rules.ExpireAfter && _rules.ExpireAfter != Timeout.InfiniteTimeSpan;
            if (_places[i] >= 0 && (Choose(_places[i], waited, isShort: false)
                || (isLate && _rules.MayStartShort is { } mayStart && Choose(_places[i], waited, isShort: true)
                    && mayStart(_seats - _freeSeats))))
            {
                found.Add(Take());
            }
            else if (isLate)
            {
                expired.Add(ticket);
            }
        }
    }

    private void Prepare()
    {
        if (_places.Length < _tickets.Count)
        {
            int length = Math.Max(64, _tickets.Count * 2);
            (_ratings, _order, _places) = (new double[length], new int[length], new int[length]);
            (_sizes, _numbers, _before, _after) = (new int[length], new int[length], new int[length], new int[length]);
        }

        int kept = 0;
        _taking = 0;
        _allSizes = 0;
        foreach (WaitingTicket<TTicket> ticket in _tickets)
        {
            if (!ticket.HasEnded)
            {
                _places[kept] = -1;
                if (ticket.IsReady)
                {
                    _ratings[_taking] = ticket.Rating;
                    _order[_taking++] = kept;
                }

                kept++;
            }
        }

        if (kept < _tickets.Count)
        {
            _tickets.RemoveAll(static ticket => ticket.HasEnded);
        }

        if (_rules.Rating is not null)
        {
            _ratings.AsSpan(0, _taking).Sort(_order.AsSpan(0, _taking));
        }

        for (int place = 0; place < _taking; place++)
        {
            _places[_order[place]] = place;
            WaitingTicket<TTicket> ticket = TicketAt(place);
            (_sizes[place], _numbers[place]) = (ticket.Size, ticket.Number);
            _allSizes |= BitOf(ticket.Size);
            _before[place] = place - 1;
            _after[place] = place + 1;
        }
    }

    /// <summary>Chooses companions for the ticket at a place.</summary>
    /// <param name="place">The place.</param>
    /// <param name="waited">Decides the window.</param>
    /// <param name="isShort">Whether to take what there is.</param>
    /// <returns>Whether there is a match.</returns>
    private bool Choose(int place, TimeSpan waited, bool isShort)
    {
        _isShort = isShort;
        _candidates[0] = place;
        _candidateCount = 1;
        _candidatePlayers = _sizes[place];
        _chosenCount = 0;
        _freeSeats = _seats;
        _below = _before[place];
        _above = _after[place];
        _window = _rules.Window?.Invoke(waited) ?? double.PositiveInfinity;
        _isExhausted = false;
        while (_candidatePlayers < _seats && TryAddCandidate())
        {
        }

        if (_candidatePlayers < _seats && !isShort)
        {
            return false; // nearly all tickets of a long queue end here
        }

        // Bounds the search for parties that fill the teams exactly; a match without parties takes one step for each player.
        _steps = 64 + (4 * _seats);
        for (int team = 0; team < _free.Length; team++)
        {
            _free[team] = _rules.TeamSizes[team];
            _strength[team] = 0;
        }

        if (_rules.Fits is null || isShort)
        {
            return Fill(0, 0);
        }

        while (TryAddCandidate())
        {
        }

        ulong candidates = 1;
        foreach (int candidate in _candidates.AsSpan(0, _candidateCount))
        {
            candidates = (candidates ^ (uint)_numbers[candidate]) * 0x9E3779B97F4A7C15; // a hash: the golden ratio spreads the bits
        }

        WaitingTicket<TTicket> ticket = TicketAt(place);
        bool isKnown = ticket.LastCandidates == candidates;
        ticket.LastCandidates = candidates;
        return !isKnown && Fill(0, 0);
    }

    /// <summary>Fills the teams with the candidates from one on: tries to seat each in a team, and to leave it out.</summary>
    /// <param name="next">The number of the candidate.</param>
    /// <param name="passed">The number of players in the candidates before it.</param>
    private bool Fill(int next, int passed)
    {
        if (_freeSeats == 0)
        {
            return true;
        }

        long failed = 0; // a bit for each size of tickets: where one has failed, a later one of its size fails as well
        while (failed != _allSizes || _isShort)
        {
            if (next == _candidateCount && !TryAddCandidate())
            {
                return _isShort;
            }

            if (_isExhausted && !_isShort && _candidatePlayers - passed < _freeSeats)
            {
                return false;
            }

            int place = _candidates[next];
            int size = _sizes[place];
            long bit = _rules.Fits is null ? BitOf(size) & ~1 : 0;
            if ((failed & bit) == 0)
            {
                if (--_steps < 0)
                {
                    return false;
                }

                if (TrySeat(next, place, size, passed))
                {
                    return true;
                }

                failed |= bit;
            }

            if (next == 0)
            {
                return false; // there is no match without the ticket that chooses
            }

            passed += size;
            next++;
        }

        return false;
    }

    /// <summary>Tries to seat a candidate in each team, and to fill the rest with those behind it.</summary>
    private bool TrySeat(int next, int place, int size, int passed)
    {
        if (_rules.Fits is { } fits && !FitsChosen(TicketAt(place), fits))
        {
            return false;
        }

        for (int seats = int.MaxValue; FindTeam(size, seats) is >= 0 and int team;)
        {
            seats = _free[team];
            _chosen[_chosenCount++] = (place, team);
            Change(team, place, -size);
            if (Fill(next + 1, passed + size))
            {
                return true;
            }

            _chosenCount--;
            Change(team, place, size);
        }

        return false;
    }

    private void Change(int team, int place, int freeSeats)
    {
        _free[team] += freeSeats;
        _freeSeats += freeSeats;
        _strength[team] -= _ratings[place] * freeSeats;
    }

    /// <summary>Adds the nearest ticket in the window that is no candidate yet.</summary>
    private bool TryAddCandidate()
    {
        double rating = _ratings[_candidates[0]];
        double down = _below >= 0 ? rating - _ratings[_below] : double.PositiveInfinity;
        double up = _above < _taking ? _ratings[_above] - rating : double.PositiveInfinity;
        bool isBelow = _below >= 0 && down <= up; // without ratings, the older one
        if (Math.Min(down, up) > _window || (!isBelow && _above == _taking))
        {
            _isExhausted = true;
            return false;
        }

        if (_candidateCount == _candidates.Length)
        {
            return false;
        }

        int place = isBelow ? _below : _above;
        _candidates[_candidateCount++] = place;
        _candidatePlayers += _sizes[place];
        if (isBelow)
        {
            _below = _before[place];
        }
        else
        {
            _above = _after[place];
        }

        return true;
    }

    /// <summary>Finds the team with the most free seats below a number, of several the weakest; -1 if none has enough.</summary>
    private int FindTeam(int size, int below)
    {
        int best = -1;
        for (int team = 0; team < _free.Length; team++)
        {
            if (_free[team] >= size && _free[team] < below
                && (best < 0 || _free[team] > _free[best] || (_free[team] == _free[best] && _strength[team] < _strength[best])))
            {
                best = team;
            }
        }

        return best;
    }

    private bool FitsChosen(WaitingTicket<TTicket> ticket, Func<TTicket, TTicket, bool> fits)
    {
        for (int i = 0; i < _chosenCount; i++)
        {
            if (!ticket.Fits(TicketAt(_chosen[i].Place), fits))
            {
                return false;
            }
        }

        return true;
    }

    private MatchOffer<TTicket> Take()
    {
        var tickets = new (WaitingTicket<TTicket>, int)[_chosenCount];
        var offer = new MatchOffer<TTicket>(tickets);
        for (int i = 0; i < tickets.Length; i++)
        {
            (int place, int team) = _chosen[i];
            WaitingTicket<TTicket> ticket = TicketAt(place);
            tickets[i] = (ticket, team);
            ticket.Offer = offer;
            _places[_order[place]] = -1;
            if (_before[place] >= 0)
            {
                _after[_before[place]] = _after[place];
            }

            if (_after[place] < _taking)
            {
                _before[_after[place]] = _before[place];
            }
        }

        return offer;
    }

    private WaitingTicket<TTicket> TicketAt(int place) => _tickets[_order[place]];

    /// <summary>The bit of a size; all sizes beyond the bits share the lowest, which no search relies on.</summary>
    private static long BitOf(int size) => size < 64 ? 1L << size : 1;
}
