using System.Runtime.ExceptionServices;

namespace PlayChat.Matchmaking;

/// <summary>A queue: a room whose members wait for a match.</summary>
/// <remarks>
/// <para>Derive from it, and register the class as a room (<c>AddRoom</c>). A player enters by <see cref="Room{TMember, TJoin}.JoinAsync"/>
/// with its ticket, and leaves by <see cref="MemberRoom{TMember}.LeaveAsync"/> or when its session ends. A player whose connection breaks
/// keeps its place while its session may resume; no match takes it meanwhile. Players of a party enter one by one; when one of them is out,
/// all of them are.</para>
/// <para>A player that leaves the queue was either moved to exactly one match or told why not (<see cref="OnStatus"/>).</para>
/// <para>A queue of more than 10,000 players needs a higher <see cref="RoomOptions.MaxMembers"/>.</para>
/// <para>The nodes of a cluster may share a queue (<see cref="RoomSettings.IsClustered"/>). If its owner ends, another node keeps all
/// tickets; their times of waiting, and open offers, begin anew. No player gets into two matches. Each node knows
/// <see cref="Figures"/>, as its owner has published them.</para>
/// </remarks>
/// <typeparam name="TTicket">The type of the tickets, for example the message by which a client asks for a match.</typeparam>
public abstract class MatchQueue<TTicket> : Room<MatchPlayer<TTicket>, TTicket>, IMatchQueue
{
    private const string InAnotherQueue = "The player is in a queue already.";

    private readonly MatchRules<TTicket> _rules;
    private readonly TimeProvider _time;
    private readonly TicketSearch<TTicket> _search;
    private readonly Dictionary<string, WaitingTicket<TTicket>> _parties = new(StringComparer.Ordinal);
    private readonly List<MatchOffer<TTicket>> _found = []; // by the pass under way
    private readonly List<WaitingTicket<TTicket>> _expired = [];
    private readonly Action _pass;
    private readonly QueueStatistics _statistics;
    private bool _isPassDue;

    /// <summary>Creates a queue.</summary>
    /// <param name="context">The context from the registry.</param>
    /// <param name="rules">The rules; read now.</param>
    /// <exception cref="ArgumentException">A rule is out of range.</exception>
    protected MatchQueue(RoomContext context, MatchRules<TTicket> rules)
        : base(context)
    {
        ArgumentNullException.ThrowIfNull(rules);
        if (rules.FindProblem() is { } problem)
        {
            throw new ArgumentException(problem, nameof(rules));
        }

        Rooms = context.Rooms;
        _rules = rules;
        _time = context.Time;
        _search = new TicketSearch<TTicket>(_rules, _time);
        _pass = Pass;
        _statistics = AddPart(new QueueStatistics(Name));
    }

    /// <inheritdoc/>
    public MatchQueueFigures Figures => _statistics.Figures;

    /// <summary>The rooms of the server, where a match creates its own.</summary>
    protected RoomRegistry Rooms { get; }

    /// <summary>
    /// Called when a player has something to be told: when it enters or returns, every <see cref="MatchRules{TTicket}.StatusInterval"/>,
    /// with an offer, and at its end without a match. Send it a packet of your game with what it should know.
    /// </summary>
    /// <param name="player">The player. At the end of its membership it is no member any more.</param>
    /// <param name="status">The status.</param>
    protected abstract void OnStatus(MatchPlayer<TTicket> player, MatchStatus status);

    /// <summary>
    /// Called with each match that begins: create its room. The players have left the queue. If it throws, they are told
    /// <see cref="MatchState.Failed"/>.
    /// </summary>
    /// <remarks>
    /// In a queue that a cluster shares, it is called on each node that has players of the match and on the one that is to run it, in the
    /// node's replica of the queue. Create a shared room with the name <see cref="MatchSeat{TTicket}.Match"/> and the node
    /// <see cref="MatchSeat{TTicket}.Node"/>, and let the players of this node join it (<see cref="Move"/>).
    /// </remarks>
    /// <param name="seats">
    /// The seats, ordered by team, for the <see cref="MatchSeats{TTicket}"/> of the room. Those that are vacant have no player.
    /// </param>
    protected abstract void OnMatch(IReadOnlyList<MatchSeat<TTicket>> seats);

    /// <summary>Notes that a player accepts or declines its offer. Does nothing if there is none, for example because it is too
    /// late.</summary>
    /// <param name="player">The player.</param>
    /// <param name="accepts">If <see langword="false"/>, the player is out. The others keep their places in the queue.</param>
    protected void Answer(MatchPlayer<TTicket> player, bool accepts)
    {
        ArgumentNullException.ThrowIfNull(player);
        if (player.Waiting?.Offer is not { Timer: not null, IsOver: false } offer)
        {
            return;
        }

        if (!accepts)
        {
            player.End = MatchState.Declined;
            End([player.Waiting]);
            return;
        }

        player.HasAccepted = true;
        if (offer.Players.All(static each => each.HasAccepted))
        {
            Conclude(offer);
        }
    }

    /// <summary>Notes that a player of this node joins the room of its match; tells it <see cref="MatchState.Failed"/> if it cannot. For
    /// <see cref="OnMatch"/> in a queue that a cluster shares.</summary>
    /// <param name="seat">The seat, with a session of this node.</param>
    /// <param name="joining">The join.</param>
    /// <typeparam name="TMember">The type of the match's members.</typeparam>
    protected void Move<TMember>(MatchSeat<TTicket> seat, ValueTask<JoinResult<TMember>> joining)
        where TMember : RoomMember
    {
        ArgumentNullException.ThrowIfNull(seat);
        _ = MoveAsync(seat, joining);
    }

    /// <summary>A match of this queue, which a cluster shares, has players on this node.</summary>
    /// <inheritdoc/>
    protected sealed override void OnTransferred(IReadOnlyList<Session> sessions, ReadOnlySpan<byte> state)
    {
        MatchSeat<TTicket>[] seats = SharedMatch<TTicket>.Read(state, sessions, encoded => TryDecode(encoded, out TTicket? ticket)
            ? ticket
            : throw new InvalidDataException($"A ticket of '{Name}' is not readable: the nodes run different versions."));
        try
        {
            OnMatch(seats);
        }
        catch
        {
            Array.ForEach(seats, TellFailed);
            throw;
        }
    }

    /// <inheritdoc/>
    protected sealed override string? OnAskingOwner(Session session) => IsInAnotherQueue(session) ? InAnotherQueue : null;

    /// <inheritdoc/>
    protected sealed override JoinDecision<MatchPlayer<TTicket>> OnJoining(Session session, TTicket argument)
    {
        if (IsInAnotherQueue(session))
        {
            return Refuse(InAnotherQueue);
        }

        int largestTeam = _rules.TeamSizes.Max();
        double rating = _rules.Rating?.Invoke(argument) ?? 0;
        MatchParty? party = _rules.Party?.Invoke(argument);
        return !double.IsFinite(rating) ? Refuse("The rating is not a finite number.")
            : party is { } given && (given.Size < 1 || given.Size > largestTeam) ? Refuse(
                $"A party has 1 to {largestTeam} players.")
            : party is { } known && _parties.TryGetValue(known.Key, out WaitingTicket<TTicket>? waiting)
                && (waiting.Size != known.Size || waiting.Players.Count == waiting.Size) ? Refuse("The party is complete.")
            : new MatchPlayer<TTicket>(session, argument, rating, party);
    }

    /// <inheritdoc/>
    protected sealed override void OnJoined(MatchPlayer<TTicket> member)
    {
        Tell(member, MatchState.Waiting, TimeSpan.Zero);
        if (Find(member.Session) == member) // unless OnStatus has taken it out
        {
            Wait(member);
        }
    }

    /// <inheritdoc/>
    protected sealed override void OnAway(MatchPlayer<TTicket> member)
    {
        WaitAgain(member);
        member.SetAway(true);
    }

    /// <inheritdoc/>
    protected sealed override void OnReturn(MatchPlayer<TTicket> member)
    {
        WaitAgain(member);
        member.SetAway(false);
        Tell(member);
    }

    /// <inheritdoc/>
    protected sealed override void OnLeave(MatchPlayer<TTicket> member, LeaveReason reason)
    {
        MatchState state = member.End ??= MatchState.Cancelled;
        if (member.Waiting is not { } ticket)
        {
            return;
        }

        MatchmakingMeter.Changed(Name, -1);
        if (!ticket.HasEnded)
        {
            End([ticket]);
        }

        if (state != MatchState.Matched)
        {
            MatchmakingMeter.Ended(Name, state);
            if (reason != LeaveReason.SessionEnded)
            {
                Tell(member, state, WaitOf(ticket));
            }
        }
    }

    /// <summary>At the owner of a shared queue, the sessions of its members are in no other queue: their nodes have looked.</summary>
    private bool IsInAnotherQueue(Session session) => session.FindRooms<Room>().Any(room => room is IMatchQueue && room != this);

    /// <summary>Gives a ticket to a member of a queue that another node, or an earlier run of the server, had before. Afterwards the ticket
    /// counts whether the member is away, and a party ends with each of its members.</summary>
    private void WaitAgain(MatchPlayer<TTicket> member)
    {
        if (member.Waiting is null && member.End is null)
        {
            Wait(member);
        }
    }

    private void Wait(MatchPlayer<TTicket> member)
    {
        WaitingTicket<TTicket>? ticket = member.Party is { } joined ? _parties.GetValueOrDefault(joined.Key) : null;
        if (ticket is null)
        {
            ticket = new WaitingTicket<TTicket>(member.Party?.Key, member.Party?.Size ?? 1, _time.GetTimestamp());
            ticket.Told = ticket.Since;
            _search.Add(ticket);
            if (ticket.Party is { } key)
            {
                _parties.Add(key, ticket);
            }
        }

        ticket.Add(member);
        MatchmakingMeter.Changed(Name, 1);
        SchedulePass();
    }

    private void SchedulePass()
    {
        if (!_isPassDue)
        {
            _isPassDue = true;
            After(_rules.PassInterval, _pass);
        }
    }

    private void Pass()
    {
        _isPassDue = false;
        _expired.Clear();
        if (MemberCount > 0)
        {
            SchedulePass(); // before all code of the application, which may throw
        }

        try
        {
            _search.Run(_found, _expired);
        }
        finally
        {
            // Each match begins by itself, so what one of them throws stops no other, and the room gives way between them.
            foreach (MatchOffer<TTicket> offer in _found)
            {
                After(TimeSpan.Zero, () => Begin(offer));
            }

            _found.Clear();
        }

        foreach (MatchPlayer<TTicket> player in _expired.SelectMany(static ticket => ticket.Players))
        {
            player.End = MatchState.Expired;
        }

        End(_expired);
        UpdateFigures();
        TellWaiting();
    }

    private void UpdateFigures()
    {
        IEnumerable<WaitingTicket<TTicket>> waiting = _search.Tickets.Where(static ticket => !ticket.HasEnded);
        _statistics.Update(
            MemberCount,
            waiting.Sum(static ticket => ticket.Offer is null ? 0 : ticket.Players.Count),
            waiting.FirstOrDefault() is { } oldest ? WaitOf(oldest) : TimeSpan.Zero);
    }

    private void TellWaiting()
    {
        long now = _time.GetTimestamp();
        for (int i = 0; _rules.StatusInterval != Timeout.InfiniteTimeSpan && i < _search.Tickets.Count; i++)
        {
            WaitingTicket<TTicket> ticket = _search.Tickets[i];
            if (ticket is { HasEnded: false, Offer: null } && _time.GetElapsedTime(ticket.Told, now) >= _rules.StatusInterval)
            {
                ticket.Told = now;
                TellAll(ticket.Players);
            }
        }
    }

    private void TellAll(IEnumerable<MatchPlayer<TTicket>> players)
    {
        foreach (MatchPlayer<TTicket> player in players.ToArray()) // OnStatus may take a player out
        {
            if (!player.IsAway)
            {
                Tell(player);
            }
        }
    }

    private void Tell(MatchPlayer<TTicket> player)
    {
        if (player.Waiting is { HasEnded: false } ticket)
        {
            bool isOffered = ticket.Offer is { Timer: not null, IsOver: false };
            TimeSpan left = isOffered ? _time.GetElapsedTime(_time.GetTimestamp(), ticket.Offer!.Until) : TimeSpan.Zero;
            Tell(player, isOffered ? MatchState.Offered : MatchState.Waiting, WaitOf(ticket), left);
        }
    }

    private void Tell(MatchPlayer<TTicket> player, MatchState state, TimeSpan waited, TimeSpan left = default) =>
        OnStatus(player, new MatchStatus(state, waited, _statistics.TypicalWait, left));

    private TimeSpan WaitOf(WaitingTicket<TTicket> ticket) => _time.GetElapsedTime(ticket.Since);

    private void Begin(MatchOffer<TTicket> offer)
    {
        if (offer.IsOver)
        {
            return; // a player has left since
        }

        if (_rules.AcceptWithin == TimeSpan.Zero)
        {
            Conclude(offer);
            return;
        }

        offer.Until = _time.GetTimestamp() + (long)(_rules.AcceptWithin.TotalSeconds * _time.TimestampFrequency);
        offer.Timer = After(_rules.AcceptWithin, () => Expire(offer));
        TellAll(offer.Players);
    }

    /// <summary>The time to accept an offer is over.</summary>
    private void Expire(MatchOffer<TTicket> offer)
    {
        foreach (MatchPlayer<TTicket> player in offer.Players.Where(static player => !player.HasAccepted))
        {
            player.End = MatchState.Declined;
        }

        End([.. offer.Tickets.Select(static place => place.Ticket).Where(static ticket => ticket.Players.Exists(
            static player => !player.HasAccepted))]);
    }

    /// <summary>Takes tickets out of the queue. Players without an end of their own have lost their party.</summary>
    private void End(List<WaitingTicket<TTicket>> tickets)
    {
        // The state of all of them is changed before any code of the application runs.
        tickets.ForEach(Close);
        List<MatchPlayer<TTicket>> freed = [];
        foreach (WaitingTicket<TTicket> ticket in tickets)
        {
            if (ticket.Offer is { IsOver: false } offer)
            {
                offer.IsOver = true;
                offer.Timer?.Cancel();
                foreach ((WaitingTicket<TTicket> other, _) in offer.Tickets.Where(static place => !place.Ticket.HasEnded))
                {
                    other.Offer = null;
                    other.Players.ForEach(static player => player.HasAccepted = false);
                    freed.AddRange(other.Players);
                }
            }
        }

        foreach (MatchPlayer<TTicket> player in tickets.SelectMany(static ticket => ticket.Players))
        {
            player.End ??= MatchState.PartyLeft;
            Leave(player.Session); // calls OnLeave, unless this is what called it
        }

        TellAll(freed);
    }

    /// <summary>Begins a match: its players leave the queue, and get their seats.</summary>
    private void Conclude(MatchOffer<TTicket> offer)
    {
        offer.IsOver = true;
        offer.Timer?.Cancel();
        Array.ForEach(offer.Tickets, place => Close(place.Ticket));
        MatchSeat<TTicket>[] seats = offer.MakeSeats(_rules.TeamSizes);
        Session[] sessions = [.. offer.Players.Select(static player => player.Session)];
        foreach (MatchPlayer<TTicket> player in offer.Players)
        {
            player.End = MatchState.Matched;
        }

        try
        {
            if (IsClustered)
            {
                IReadOnlyList<RoomNode> nodes = FindNodes(sessions);
                string node = (nodes.Count > 0 ? _rules.Placement(nodes).Name : null) ?? "";
                Transfer(sessions, SharedMatch<TTicket>.Write(node, seats, Encode), node);
            }
            else
            {
                Array.ForEach(sessions, session => Leave(session));
                OnMatch(seats);
            }
        }
        catch
        {
            foreach (MatchPlayer<TTicket> player in offer.Players)
            {
                MatchmakingMeter.Ended(Name, MatchState.Failed);
                Tell(player, MatchState.Failed, WaitOf(player.Waiting!));
                Leave(player.Session); // it is there yet if the match is too large for the cluster's log
            }

            throw;
        }

        _statistics.AddMatch(offer.Players.Select(player => WaitOf(player.Waiting!)));
    }

    private async Task MoveAsync<TMember>(MatchSeat<TTicket> seat, ValueTask<JoinResult<TMember>> joining)
        where TMember : RoomMember
    {
        Task<JoinResult<TMember>> joined = joining.AsTask();
        await ((Task)joined).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!joined.IsCompletedSuccessfully || !(await joined.ConfigureAwait(false)).IsJoined)
        {
            await this.PostAsync(queue =>
            {
                queue.TellFailed(seat);
                if (joined.Exception?.InnerException is { } fault)
                {
                    ExceptionDispatchInfo.Throw(fault); // the application's code has thrown it; the turn logs it
                }
            }).ConfigureAwait(false);
        }
    }

    private void TellFailed(MatchSeat<TTicket> seat)
    {
        if (seat.Session is { } session)
        {
            MatchmakingMeter.Ended(Name, MatchState.Failed);
            Tell(new MatchPlayer<TTicket>(session, seat.Ticket!, 0, null), MatchState.Failed, TimeSpan.Zero);
        }
    }

    private void Close(WaitingTicket<TTicket> ticket)
    {
        ticket.HasEnded = true;
        if (ticket.Party is { } key)
        {
            _parties.Remove(key);
        }
    }
}
