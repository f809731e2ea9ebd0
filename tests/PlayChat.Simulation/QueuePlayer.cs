using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Matchmaking;

namespace PlayChat.Simulation;

/// <summary>What a client does in the queue and in its match, and what it knows of its place.</summary>
/// <param name="world">Its world.</param>
/// <param name="name">Its name.</param>
/// <param name="dice">Decides.</param>
/// <param name="send">Sends a message, even on a full link if it has to; <see langword="false"/> if it cannot.</param>
internal sealed class QueuePlayer(World world, string name, Dice dice, Func<PacketType<Wire>, Wire, bool, bool> send)
{
    private readonly HashSet<int> _told = []; // tickets that ended without a match
    private Place _place;
    private (long Match, byte[] Token)? _seat;
    private long _queue; // the id of its room
    private int _questions;

    private enum Place
    {
        Nowhere,
        Asking,
        Waiting,
        Seated,

        /// <summary>The client has returned, or shows its token, and waits for the answer.</summary>
        Unsure,
    }

    /// <summary>Whether the client waits for something. When the faults have stopped, each wait ends.</summary>
    internal bool IsWaiting => _place is not (Place.Nowhere or Place.Seated);

    internal void Act()
    {
        switch (_place)
        {
            case Place.Nowhere when dice.Chance(0.1):
                Rejoin(new byte[16], _seat?.Match ?? dice.Next(10)); // of a match that is over, or of another player
                break;
            case Place.Nowhere:
                TrySend(WirePacket.Find, new Wire(0, 0, 0, default), Place.Asking);
                break;
            case Place.Waiting when dice.Chance(0.3):
                send(WirePacket.Cancel, new Wire(_queue, 0, 0, default), false);
                break;
            case Place.Seated when dice.Chance(0.3):
                TrySend(WirePacket.GiveUp, new Wire(_seat!.Value.Match, 0, 0, default), Place.Nowhere);
                break;
            default:
                break;
        }
    }

    /// <summary>The client has a new session. It shows the token of its seat, if it had one.</summary>
    internal void OnLoggedIn()
    {
        _place = Place.Nowhere;
        if (_seat is { } seat)
        {
            Rejoin(seat.Token, seat.Match);
        }
    }

    /// <summary>The client has its session back, and may have missed something.</summary>
    internal void OnResumed()
    {
        if (world.Plan.Queue is not null)
        {
            TrySend(WirePacket.WhereAmI, new Wire(_seat?.Match ?? 0, 0, ++_questions, default), Place.Unsure, isForced: true);
        }
    }

    /// <returns>Whether the frame was about the queue or a match.</returns>
    internal bool OnFrame(int id, Wire message)
    {
        switch (id)
        {
            case 110:
                OnFound((JoinStatus)message.A);
                return true;
            case 111:
                OnRejoined((JoinStatus)message.A, message.B);
                return true;
            case 112:
                OnPlaced(message);
                return true;
            case 124:
                _queue = message.RoomId;
                OnStatus((MatchState)message.A, message.B);
                return true;
            case 125:
                world.Judge.Require(!_told.Contains(message.A), "one match", $"{name} has a seat for ticket {message.A}, which has ended");
                _place = Place.Seated;
                _seat = (message.RoomId, message.Bytes.ToArray());
                return true;
            default:
                return false;
        }
    }

    private void OnFound(JoinStatus result)
    {
        if (_place == Place.Asking)
        {
            _place = result == JoinStatus.Joined ? Place.Waiting : Place.Nowhere;
        }
    }

    private void OnRejoined(JoinStatus result, int question)
    {
        if (_place == Place.Unsure && question == _questions && result != JoinStatus.Joined)
        {
            _place = Place.Nowhere;
            _seat = null;
        }
    }

    private void OnPlaced(Wire message)
    {
        if (message.B == _questions && _place == Place.Unsure)
        {
            _place = message.A switch
            {
                0 => Place.Nowhere,
                1 => Place.Waiting,
                _ => Place.Seated,
            };
        }
    }

    private void OnStatus(MatchState state, int ticket)
    {
        if (state == MatchState.Offered && dice.Chance(0.9))
        {
            send(WirePacket.Answer, new Wire(_queue, dice.Chance(0.9) ? 1 : 0, 0, default), false);
        }
        else if (state >= MatchState.Cancelled)
        {
            _told.Add(ticket);
            _place = Place.Nowhere;
        }
    }

    private void Rejoin(byte[] token, long match) =>
        TrySend(WirePacket.Rejoin, new Wire(match, 0, ++_questions, token), Place.Unsure);

    private void TrySend(PacketType<Wire> type, Wire message, Place place, bool isForced = false)
    {
        if (send(type, message, isForced))
        {
            _place = place;
        }
    }
}
