using System.Buffers;
using System.Buffers.Binary;
using System.Security.Cryptography;

namespace PlayChat.Matchmaking;

/// <summary>The seats of a match, as a part of its room: it moves the players into the room, keeps their seats, and lets them
/// back.</summary>
/// <remarks>
/// <para>Add it to the room by <c>AddPart</c>. In <c>OnCreate</c> pass it the seats of the match (<see cref="Add"/>). In <c>OnJoining</c>
/// ask it for the seat of a token (<see cref="Claim"/>), and refuse a session that has none.</para>
/// <para>A member that is away keeps its seat while its session may resume. When its session has ended, the seat waits for the token. A
/// member that leaves while its session lives, or that the room takes out, has given its seat up.</para>
/// <para>A locked room admits no token. Leave <see cref="RoomSettings.Capacity"/> above the number of seats, so that a player may come
/// back before the server has noticed that its older connection is dead. Use the part only in the room's turn.</para>
/// </remarks>
/// <typeparam name="TTicket">The type of the tickets.</typeparam>
public sealed class MatchSeats<TTicket> : RoomPart
{
    private const int SavedBytes = sizeof(int) + 1 + MatchSeat<TTicket>.TokenBytes; // of a seat: team, flags, token

    private readonly TimeSpan _holdFor;
    private readonly Action<MatchSeat<TTicket>> _enter;
    private readonly Func<Session, bool> _leave;
    private readonly Action<MatchSeat<TTicket>> _onGivenUp;
    private readonly List<MatchSeat<TTicket>> _seats = [];
    private (MatchSeat<TTicket> Seat, Session By)? _claim; // between OnJoining and OnJoined

    /// <summary>Makes the part.</summary>
    /// <param name="holdFor">How long a seat waits for its player, each time; more than zero, at most 365 days.</param>
    /// <param name="enter">Makes the session of a seat a member: calls <c>Join</c> of the room with the seat's token.</param>
    /// <param name="leave">Takes a session out of the room: its <c>Leave</c>.</param>
    /// <param name="onGivenUp">
    /// Decides what happens to a seat that is vacant, or that its player has given up: a bot plays on, another player is looked for, or the
    /// match ends.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">The time is out of range.</exception>
    public MatchSeats(TimeSpan holdFor, Action<MatchSeat<TTicket>> enter, Func<Session, bool> leave, Action<MatchSeat<TTicket>> onGivenUp)
    {
        ArgumentNullException.ThrowIfNull(enter);
        ArgumentNullException.ThrowIfNull(leave);
        ArgumentNullException.ThrowIfNull(onGivenUp);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(holdFor, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(holdFor, TimeSpan.FromDays(365));
        _holdFor = holdFor;
        _enter = enter;
        _leave = leave;
        _onGivenUp = onGivenUp;
    }

    /// <summary>The seats that are taken or wait for their players. The part forgets a seat that is given up.</summary>
    public IReadOnlyList<MatchSeat<TTicket>> All => _seats;

    /// <summary>Whether a player is in its seat, or a seat waits for one. If not, the match has no player any more.</summary>
    public bool HasPlayers => _seats.Count > 0;

    /// <summary>Adds seats, and moves their players into the room in its next turn. A seat whose player does not come waits for
    /// it.</summary>
    /// <param name="seats">The seats of the match, or of a player that joins it later.</param>
    public void Add(IEnumerable<MatchSeat<TTicket>> seats)
    {
        ArgumentNullException.ThrowIfNull(seats);
        MatchSeat<TTicket>[] added = [.. seats];
        _seats.AddRange(added);
        foreach (MatchSeat<TTicket> seat in added)
        {
            if (!seat.IsVacant)
            {
                Wait(seat);
            }

            // Each by itself, so what the hooks throw for one of them concerns no other. The players of a shared queue join on their nodes.
            if (seat.IsVacant || seat.Match.Length == 0)
            {
                After(TimeSpan.Zero, () => (seat.IsVacant ? GiveUp : _enter)(seat));
            }
        }
    }

    /// <summary>
    /// Returns the seat of a token, for a session that wants to join. A member that has the seat leaves first: it is the same player on an
    /// older connection. Call it in <c>OnJoining</c> as the last check.
    /// </summary>
    /// <param name="session">The session.</param>
    /// <param name="token">The token that it has shown; any bytes.</param>
    /// <returns>The seat; <see langword="null"/> if no seat has this token, or the seat is given up.</returns>
    public MatchSeat<TTicket>? Claim(Session session, ReadOnlySpan<byte> token)
    {
        ArgumentNullException.ThrowIfNull(session);
        foreach (MatchSeat<TTicket> seat in _seats)
        {
            if (!seat.IsVacant && CryptographicOperations.FixedTimeEquals(seat.Token.Span, token))
            {
                _claim = (seat, session);
                if (seat.Member is { } former)
                {
                    _leave(former.Session);
                }

                return seat;
            }
        }

        return null;
    }

    /// <inheritdoc/>
    protected override void OnJoined(RoomMember member)
    {
        if (_claim is { } claim && claim.By == member.Session)
        {
            claim.Seat.Member = member;
            claim.Seat.Changes++;
        }

        _claim = null;
    }

    /// <inheritdoc/>
    protected override void OnLeave(RoomMember member, LeaveReason reason)
    {
        if (_seats.Find(seat => seat.Member == member) is not { } seat)
        {
            return;
        }

        seat.Member = null;
        if (reason is not (LeaveReason.SessionEnded or LeaveReason.NodeLost) && _claim?.Seat != seat)
        {
            GiveUp(seat);
        }
        else
        {
            Wait(seat);
        }
    }

    /// <inheritdoc/>
    protected override void OnSnapshot(IBufferWriter<byte> state)
    {
        foreach (MatchSeat<TTicket> seat in _seats)
        {
            Span<byte> place = state.GetSpan(SavedBytes);
            BinaryPrimitives.WriteInt32LittleEndian(place, seat.Team);
            place[sizeof(int)] = (byte)(seat.IsVacant ? 1 : 0);
            seat.Token.Span.CopyTo(place[(sizeof(int) + 1)..]);
            state.Advance(SavedBytes);
        }
    }

    /// <inheritdoc/>
    protected override void OnRestore(ReadOnlySpan<byte> state)
    {
        List<MatchSeat<TTicket>> kept = [];
        for (; state.Length >= SavedBytes; state = state[SavedBytes..])
        {
            byte[] token = state[(sizeof(int) + 1)..SavedBytes].ToArray();
            MatchSeat<TTicket>? seat = _seats.Find(seat => seat.Token.Span.SequenceEqual(token));
            if (seat is null)
            {
                // This node had no player of the match, or the seat was added later.
                seat = new MatchSeat<TTicket>(
                    "", "", BinaryPrimitives.ReadInt32LittleEndian(state), default, null, state[sizeof(int)] != 0, token);
                Wait(seat);
            }

            seat.IsGivenUp = false;
            kept.Add(seat);
        }

        foreach (MatchSeat<TTicket> seat in _seats.Except(kept))
        {
            seat.IsGivenUp = true; // on the node that had the room before
        }

        _seats.Clear();
        _seats.AddRange(kept);
    }

    /// <inheritdoc/>
    protected override void OnTurnEnd() => _claim = null; // the room has refused the session after all

    private void Wait(MatchSeat<TTicket> seat)
    {
        int wait = ++seat.Changes;
        After(_holdFor, () =>
        {
            if (seat.Changes == wait)
            {
                GiveUp(seat);
            }
        });
    }

    private void GiveUp(MatchSeat<TTicket> seat)
    {
        if (!seat.IsGivenUp)
        {
            seat.Changes++;
            seat.IsGivenUp = true;
            _seats.Remove(seat);
            _onGivenUp(seat);
        }
    }
}
