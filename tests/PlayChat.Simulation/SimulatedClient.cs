using System.Buffers.Binary;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;

namespace PlayChat.Simulation;

/// <summary>A client that keeps the rules: it logs in, joins, talks, leaves, resumes and logs out, on a bad network.</summary>
/// <param name="world">Its world.</param>
/// <param name="user">The id of its user, from 1.</param>
/// <param name="dice">Decides what it does next.</param>
internal sealed class SimulatedClient(World world, int user, Dice dice)
{
    private const ushort HeartbeatId = ushort.MaxValue;

    private static readonly TimeSpan s_answerTimeout = TimeSpan.FromSeconds(60);

    private readonly Dictionary<long, ClientRoom> _rooms = [];
    private readonly List<byte> _received = [];
    private SimulatedLink? _link;
    private byte[] _token = [];
    private long _frames; // received on the present connection, heartbeats not counted
    private long _formerFrames;
    private bool _hasFormer;
    private bool _hasReadAll; // of the former connection, up to the end that the server sent
    private bool _mayHaveMissed; // more than the events of rooms that follow the former connection
    private int _number;
    private int _life; // changes with each connection, so that timers of an old one do nothing
    private bool _wantsOut;
    private int _joining;
    private QueuePlayer? _queue;

    /// <summary>Whether it is logged in on a connection that it believes in.</summary>
    internal bool IsOnline { get; private set; }

    internal IReadOnlyDictionary<long, ClientRoom> Rooms => _rooms;

    internal QueuePlayer Queue => _queue ??= new QueuePlayer(world, Name, dice, Send);

    internal string Name => $"client {user}";

    /// <summary>Whether an answer may come, other than to what it says in its only room.</summary>
    private bool IsWaiting =>
        _rooms.Count != 1 || _joining > 0 || world.Plan is not { Loose: 0, Queue: null, ReplayBytes: > 0 }
        || _rooms.Values.Any(static room => room.IsLeaving || room.IsReturning || room.Unacknowledged.Count > 0);

    /// <summary>Whether it does nothing unless it is told to.</summary>
    internal bool IsCalm { get; set; }

    /// <summary>Connects soon.</summary>
    internal void Start(TimeSpan delay)
    {
        int life = ++_life;
        world.Clock.After(delay, () =>
        {
            if (life == _life && !_wantsOut)
            {
                Connect();
            }
        });
    }

    /// <summary>Says something in every room that it is in, and joins one if it is in none.</summary>
    internal void SayEverywhere()
    {
        if (_rooms.Count == 0)
        {
            Join();
        }

        foreach (ClientRoom room in _rooms.Values)
        {
            Say(room);
        }
    }

    /// <summary>Reads again whatever it was about to do.</summary>
    internal void CalmDown()
    {
        IsCalm = true;
        if (_link is not null)
        {
            _link.ClientReads = true;
        }
    }

    /// <summary>Ends for good: logs out, or disappears in one of the ways in which clients do.</summary>
    internal void EndForGood()
    {
        _wantsOut = true;
        if (!IsOnline || _link is not { } link)
        {
            Lose();
            return;
        }

        switch (dice.Next(4))
        {
            case 0:
                Send(WirePacket.Logout, new Wire(0, 0, 0, default));
                return;
            case 1:
                link.ClientClose();
                break;
            case 2:
                link.ClientReset();
                break;
            default:
                link.ClientVanish();
                break;
        }

        Lose();
    }

    private void Connect()
    {
        if (world.Network.Connect() is not { } link)
        {
            Start(dice.Between(0.5, 2));
            return;
        }

        _link = link;
        _received.Clear();
        _frames = 0;
        _hasReadAll = false;
        int life = _life;
        link.Received = bytes => OnBytes(bytes.Span);
        link.Ended = isReset => OnEnded(life, isReset);
        if (_token.Length > 0)
        {
            world.Count("resumes tried");
            long claimed = _formerFrames + (world.Variant == Variant.WrongCount ? 1 : 0);
            Send(WirePacket.Resume, new Wire(_hasFormer ? claimed : -1, user, 0, _token));
            BreakSoon();
        }
        else
        {
            _rooms.Clear();
            Send(WirePacket.Login, new Wire(0, user, 0, default));
        }

        world.Clock.After(s_answerTimeout, () =>
        {
            if (life == _life && !IsOnline)
            {
                world.Count("clients that gave up waiting");
                link.ClientReset();
                Lose();
                Start(dice.Between(0.1, 1));
            }
        });
    }

    /// <summary>An impatient client does not wait for what it has asked on this connection.</summary>
    private void BreakSoon()
    {
        if (world.Plan.Impatience == 0 || IsCalm || !dice.Chance(world.Plan.Impatience))
        {
            return;
        }

        int life = _life;
        world.Clock.After(dice.Between(0, dice.Pick(0.02, 0.5)), () =>
        {
            if (life == _life && !_wantsOut)
            {
                world.Count("resumes on the next connection at once");
                if (dice.Chance(0.5))
                {
                    _link!.ClientClose();
                }
                else
                {
                    _link!.ClientReset();
                }

                Lose();
                Start(dice.Between(0, dice.Pick(0.02, 0.5)));
            }
        });
    }

    private void Act()
    {
        int life = _life;
        world.Clock.After(dice.Between(0, 2 * world.Plan.Pace.TotalSeconds), () =>
        {
            if (life == _life && IsOnline)
            {
                if (!IsCalm)
                {
                    ActOnce();
                }

                if (life == _life && IsOnline)
                {
                    Act();
                }
            }
        });
    }

    private void ActOnce()
    {
        if (world.Plan.Queue is not null && dice.Chance(0.4))
        {
            Queue.Act();
            return;
        }

        int draw = dice.Next(100);
        ClientRoom? room = _rooms.Count > 0 ? _rooms.Values.ElementAt(dice.Next(_rooms.Count)) : null;
        if (room is null || draw < 8)
        {
            Join();
            return;
        }

        bool breaks = world.Plan.Has(Faults.Breaks);
        switch (draw)
        {
            case < 12:
                Leave(room);
                break;
            case < 15: // back to back
                Leave(room);
                Join();
                break;
            case < 20:
                for (int left = dice.Next(20); left > 0; left--)
                {
                    Say(room);
                }

                break;
            case < 24 when breaks:
                world.Count("links reset by clients");
                world.Note($"{Name}: resets the link");
                _link!.ClientReset();
                Retry();
                break;
            case < 27 when breaks:
                world.Count("links closed by clients");
                world.Note($"{Name}: closes the link");
                _link!.ClientClose();
                Retry();
                break;
            case < 30 when breaks:
                world.Count("half-open links");
                world.Note($"{Name}: vanishes");
                _link!.ClientVanish();
                Retry();
                break;
            case 30 when breaks:
                world.Count("handlers that throw");
                Send(WirePacket.Throw, new Wire(0, 0, 0, default));
                break;
            case 31:
                Send(WirePacket.Logout, new Wire(0, 0, 0, default));
                break;
            case 32:
                world.Count("second logins"); // the token is forgotten, the session is still there
                _link!.ClientVanish();
                _token = [];
                Retry();
                break;
            case < 36 when world.Plan.Has(Faults.SlowReaders):
                ReadLater();
                break;
            default:
                Say(room);
                break;
        }
    }

    private void ReadLater()
    {
        world.Count("readers that pause");
        SimulatedLink link = _link!;
        link.ClientReads = false;
        world.Clock.After(dice.Between(0.1, 30), () => link.ClientReads = true);
    }

    private void Join()
    {
        _joining++;
        if (!Send(WirePacket.Join, new Wire(0, dice.Next(world.Plan.RoomNames), 0, default)))
        {
            _joining--;
        }
    }

    private void Leave(ClientRoom room)
    {
        room.IsLeaving |= Send(WirePacket.Leave, new Wire(room.Id, 0, 0, default));
    }

    private void Say(ClientRoom room)
    {
        var say = new Wire(room.Id, ++_number, 0, new byte[dice.Next(world.Plan.Fill + 1)]);
        if (!room.IsLeaving && Send(dice.Pick(WirePacket.Say, WirePacket.SayFrame), say))
        {
            room.Unacknowledged.Add(say.A);
        }
    }

    private bool Send(PacketType<Wire> type, Wire message, bool isForced = false)
    {
        byte[] frame = Frames.Encode(type, message);
        if (_link?.ClientSend(frame, isForced) != true)
        {
            return false;
        }

        world.Note($"{Name}: {type.Name} {message.RoomId} {message.A}");
        return true;
    }

    private void OnEnded(int life, bool isReset)
    {
        if (life != _life)
        {
            return;
        }

        world.Note($"{Name}: the link has ended{(isReset ? " by a reset" : "")}");
        _hasReadAll = !isReset;
        if (!isReset)
        {
            _link!.ClientClose();
        }

        Retry();
    }

    /// <summary>The link is of no use any more: connect again.</summary>
    private void Retry()
    {
        Lose();
        if (!_wantsOut)
        {
            Start(dice.Between(0, 8));
        }
    }

    private void Lose()
    {
        _mayHaveMissed = !IsOnline || !_hasReadAll || IsWaiting;
        if (IsOnline)
        {
            (_formerFrames, _hasFormer) = (_frames, true);
        }

        IsOnline = false;
        _joining = 0;
        _life++;
        if (_link is { IsLeft: false } link)
        {
            link.ClientVanish();
        }

        _link = null;
    }

    private void OnBytes(ReadOnlySpan<byte> bytes)
    {
        int life = _life;
        _received.AddRange(bytes);
        while (life == _life && Frames.TryTake(_received, out ushort id, out ushort request, out byte[] body))
        {
            OnFrame(id, request, body);
        }
    }

    private void OnFrame(ushort id, ushort request, byte[] body)
    {
        if (id == HeartbeatId)
        {
            if (request != 0)
            {
                _link?.ClientSend([0, 0, 0, 4, 0xFF, 0xFF, 0, 0]);
            }

            return;
        }

        _frames++;
        if (body.Length < Wire.HeaderBytes)
        {
            world.Judge.Require(false, "whole frames", $"{Name} got packet {id} with {body.Length} bytes");
            return;
        }

        Wire message = Wire.Read(body);
        world.NoteDelivery(user, id, message.RoomId, message.A);
        switch (id)
        {
            case 101:
                _token = message.Bytes.ToArray();
                GoOnline();
                Queue.OnLoggedIn();
                break;
            case 102:
                OnResumed(message);
                break;
            case 104:
                _joining--;
                world.Judge.Require(
                    !world.IsSettled || message.A != (int)JoinStatus.SessionEnded,
                    "liveness",
                    $"{Name} is logged in, and the server says that its session has ended");
                break;
            case 105:
                _rooms.Remove(message.RoomId);
                break;
            case 107:
                _token = [];
                _hasFormer = false;
                _link!.ClientClose();
                Retry();
                break;
            case 108:
                OnChecked(message);
                break;
            case 109:
                OnNoRoom(message);
                break;
            case 120:
                OnEvent(message);
                break;
            case 121:
                OnSnapshot(message);
                break;
            case 123:
                OnPresence(message);
                break;
            case 122:
                OnAcknowledged(message);
                break;
            default:
                world.Judge.Require(Queue.OnFrame(id, message), "whole frames", $"{Name} got the unknown packet {id}");
                break;
        }
    }

    private void GoOnline()
    {
        IsOnline = true;
        world.Count("logins");
        Act();
    }

    private void OnResumed(Wire message)
    {
        if (message.A == 0)
        {
            world.Count("resumes refused");
            world.Judge.Require(
                world.MayRefuse(_token), "a token resumes", $"{Name} shows its newest token, and its session lives");
            _token = [];
            _hasFormer = false;
            _link!.ClientClose();
            Retry();
            return;
        }

        world.Count("resumes");
        _token = message.Bytes.ToArray();
        Send(WirePacket.Confirm, new Wire(0, 0, 0, default));
        foreach (ClientRoom room in _rooms.Values)
        {
            room.IsReturning = true;
            room.IsLeaving = false;
            Send(WirePacket.Check, new Wire(room.Id, _life, 0, default), isForced: true);
            foreach (int number in room.Unacknowledged)
            {
                Send(WirePacket.Say, new Wire(room.Id, number, 1, default), isForced: true);
            }
        }

        Queue.OnResumed();
        IsOnline = true;
        BreakSoon();
        Act();
    }

    private void OnChecked(Wire message)
    {
        // The room may have kept an answer for the client while it was away: only the one to the newest question counts.
        if (message.B != _life || !_rooms.TryGetValue(message.RoomId, out ClientRoom? room))
        {
            return;
        }

        if (message.A == 0)
        {
            _rooms.Remove(room.Id);
            return;
        }

        world.Judge.Require(
            !room.IsReturning, "members return", $"{Name} is in room {room.Id}, which has not said what was missed");
    }

    private void OnNoRoom(Wire message)
    {
        if (!_rooms.TryGetValue(message.RoomId, out ClientRoom? room))
        {
            return;
        }

        world.Count("messages to a room that the client has left");
        _rooms.Remove(room.Id);
    }

    private void OnSnapshot(Wire message)
    {
        var reason = (SnapshotReason)message.B;
        if (!_rooms.TryGetValue(message.RoomId, out ClientRoom? room))
        {
            room = new ClientRoom(message.RoomId);
            _rooms.Add(room.Id, room);
        }

        ReadOnlySpan<byte> bytes = message.Bytes.Span;
        int number = BinaryPrimitives.ReadInt32BigEndian(bytes);
        if (reason == SnapshotReason.Recovered)
        {
            world.Judge.Require(
                room.Last == message.A && !room.HasGap && room.Number == number,
                "resume keeps its word",
                $"{Name} returned to room {room.Id} with event {room.Last}{(room.HasGap ? " and a gap" : "")}, and the room says that it "
                    + $"has missed none of {message.A}");
        }

        world.Judge.Require(
            reason != SnapshotReason.Returned || _mayHaveMissed || room.HasGap || room.Last != message.A || room.Number != number,
            "resume keeps its word",
            $"{Name} returned to room {room.Id} with all of {message.A} events, and the room says that it has missed something");
        if (room.Number != number)
        {
            room.Unacknowledged.Clear(); // the room has taken the client out meanwhile: what it had said may be lost
            room.IsLeaving = false;
        }

        room.Number = number;
        room.IsReturning = false;
        room.HasGap = false;
        room.Last = message.A;
        room.Members.Clear();
        for (int at = 4; at < bytes.Length; at += 4)
        {
            room.Members.Add(BinaryPrimitives.ReadInt32BigEndian(bytes[at..]));
        }
    }

    private void OnEvent(Wire message)
    {
        if (!_rooms.TryGetValue(message.RoomId, out ClientRoom? room))
        {
            return; // it has left, or was taken out
        }

        world.Judge.CheckEvent(Name, room.Id, message.A, (EventKind)message.B, message.Bytes.Span);
        if (room.IsReturning && message.A != room.Last + 1)
        {
            room.HasGap = true;
        }

        world.Judge.Require(
            room.IsReturning || message.A == room.Last + 1,
            "no gap",
            $"{Name} got event {message.A} of room {room.Id} after {room.Last}");
        room.Last = message.A;
        int member = BinaryPrimitives.ReadInt32BigEndian(message.Bytes.Span);
        if (message.B == (int)EventKind.Join)
        {
            room.Members.Add(member);
        }
        else if (message.B == (int)EventKind.Leave)
        {
            room.Members.Remove(member);
        }
    }

    private void OnPresence(Wire message)
    {
        if (_rooms.TryGetValue(message.RoomId, out ClientRoom? room))
        {
            world.Judge.Require(
                message.A > room.Presence[message.B],
                "one order",
                $"{Name} got the count {message.A} of room {room.Id} after {room.Presence[message.B]}");
            room.Presence[message.B] = message.A;
        }
    }

    private void OnAcknowledged(Wire message)
    {
        if (!_rooms.TryGetValue(message.RoomId, out ClientRoom? room))
        {
            return;
        }

        // A room answers behind what it has told everybody before.
        room.HasGap |= room.IsReturning && message.B > room.Last;
        world.Judge.Require(
            room.IsReturning || message.B <= room.Last,
            "one order",
            $"{Name} knows event {room.Last} of room {room.Id} and got an answer from behind event {message.B}");
        if (room.Unacknowledged.Remove(message.A))
        {
            world.Count("messages acknowledged");
            world.Judge.Require(
                world.Judge.Rooms[room.Id].Said.Contains((user, message.A)),
                "nothing acknowledged lost",
                $"{Name} has an answer to message {message.A}, which room {room.Id} has not ordered");
        }
    }
}
