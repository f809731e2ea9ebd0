using System.Buffers.Binary;
using PlayChat.Core.Packets;

namespace PlayChat.Simulation.Cluster;

/// <summary>A client of the cluster: it logs in on any node, joins, talks, leaves, resumes, and goes to another node when its own is
/// silent.</summary>
/// <param name="world">Its world.</param>
/// <param name="user">The id of its user, from 1.</param>
/// <param name="dice">Decides what it does next.</param>
internal sealed class ClusterClient(ClusterWorld world, int user, Dice dice)
{
    private const ushort HeartbeatId = ushort.MaxValue;

    private static readonly TimeSpan s_answerTimeout = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan s_silence = TimeSpan.FromSeconds(35); // longer than the heartbeats of a server

    private readonly SortedDictionary<long, RoomView> _rooms = [];
    private readonly SortedDictionary<long, SortedSet<int>> _unacknowledged = []; // by room id; also of former sessions
    private readonly Dictionary<long, int> _newest = []; // the newest ownership of each room that the client has heard of
    private readonly List<byte> _received = [];
    private ClusterNode? _node;
    private SimulatedLink? _link;
    private byte[] _token = [];
    private long _frames; // received on the present connection, heartbeats not counted
    private long _formerFrames;
    private bool _hasFormer;
    private int _number;
    private int _attempt;
    private int _life; // changes with each connection, so that timers of an old one do nothing
    private bool _wantsOut;
    private TimeSpan _heardAt;

    /// <summary>Whether it is logged in on a connection that it believes in.</summary>
    internal bool IsOnline { get; private set; }

    internal IReadOnlyDictionary<long, RoomView> Rooms => _rooms;

    internal ClusterNode? Node => _node;

    internal string Name => $"client {user}";

    /// <summary>Whether it does nothing unless it is told to.</summary>
    internal bool IsCalm { get; private set; }

    /// <summary>A message in a room that has no answer; 0 if there is none.</summary>
    internal int UnansweredIn(long roomId) => _unacknowledged.GetValueOrDefault(roomId)?.FirstOrDefault() ?? 0;

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

        foreach (RoomView room in _rooms.Values)
        {
            Say(room);
        }
    }

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
        if (IsOnline && _link is { } link)
        {
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
        }

        Lose();
    }

    private void Connect()
    {
        bool resumes = _token.Length > 0 && _node is { Process.IsDead: false } && dice.Chance(0.7);
        ClusterNode? node = resumes ? _node : world.PickNode(dice);
        if (node?.Connect() is not { } link)
        {
            _token = [];
            Start(dice.Between(0.5, 2));
            return;
        }

        (_node, _link) = (node, link);
        _received.Clear();
        _frames = 0;
        _heardAt = world.Clock.Elapsed;
        int life = _life;
        link.Received = bytes => OnBytes(bytes.Span);
        link.Ended = isReset => OnEnded(life, isReset);
        if (resumes)
        {
            world.Count("resumes tried");
            Send(WirePacket.Resume, new Wire(_hasFormer ? _formerFrames : -1, user, 0, _token));
        }
        else
        {
            _token = [];
            _rooms.Clear();
            Send(WirePacket.Login, new Wire(0, user, 0, default));
        }

        world.Clock.After(s_answerTimeout, () =>
        {
            if (life == _life && !IsOnline)
            {
                world.Count("clients that gave up waiting");
                _token = [];
                link.ClientReset();
                Lose();
                Start(dice.Between(0.1, 1));
            }
        });
    }

    private void Act()
    {
        int life = _life;
        world.Clock.After(dice.Between(0, 2 * world.Pace.TotalSeconds), () =>
        {
            if (life == _life && IsOnline)
            {
                if (world.Clock.Elapsed - _heardAt > s_silence && _link!.ClientReads)
                {
                    world.Count("nodes that were silent");
                    _token = [];
                    _link.ClientReset();
                    Retry();
                }
                else if (!IsCalm)
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
        int draw = dice.Next(100);
        RoomView? room = _rooms.Count > 0 ? _rooms.Values.ElementAt(dice.Next(_rooms.Count)) : null;
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
                for (int left = dice.Next(10); left > 0; left--)
                {
                    Say(room);
                }

                break;
            case < 22 when breaks:
                world.Count("links reset by clients");
                _link!.ClientReset();
                Retry();
                break;
            case < 24 when breaks:
                world.Count("links closed by clients");
                _link!.ClientClose();
                Retry();
                break;
            case < 26 when breaks:
                world.Count("half-open links");
                _link!.ClientVanish();
                Retry();
                break;
            case 26:
                Send(WirePacket.Logout, new Wire(0, 0, 0, default));
                break;
            case 27: // it moves to another node, and its session is still there
                world.Count("second logins");
                _link!.ClientVanish();
                _token = [];
                Retry();
                break;
            case < 30 when world.Plan.Has(Faults.SlowReaders):
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
        world.Clock.After(dice.Between(0.1, 30), () =>
        {
            _heardAt = world.Clock.Elapsed;
            link.ClientReads = true;
        });
    }

    private void Join() => Send(WirePacket.Join, new Wire(0, dice.Next(world.Plan.RoomNames), 0, default));

    private void Leave(RoomView room) => room.IsLeaving |= Send(WirePacket.Leave, new Wire(room.Id, 0, 0, default));

    private void Say(RoomView room)
    {
        int number = ++_number;
        if (!room.IsLeaving && Say(room.Id, number, isForced: false))
        {
            if (!_unacknowledged.TryGetValue(room.Id, out SortedSet<int>? unacknowledged))
            {
                _unacknowledged[room.Id] = unacknowledged = [];
            }

            unacknowledged.Add(number);
        }
    }

    private bool Say(long roomId, int number, bool isForced) => Send(
        WirePacket.Say, new Wire(roomId, number, ++_attempt, new byte[dice.Next(Math.Min(world.Plan.Fill, 1000) + 1)]), isForced);

    /// <summary>What the client has said may be lost: the room may have had no owner.</summary>
    private void SayAgain(long roomId)
    {
        foreach (int number in _unacknowledged.GetValueOrDefault(roomId) ?? [])
        {
            Say(roomId, number, isForced: true);
        }
    }

    private bool Send(PacketType<Wire> type, Wire message, bool isForced = false)
    {
        byte[] frame = Frames.Encode(type, message);
        if (_link?.ClientSend(frame, isForced) != true)
        {
            return false;
        }

        world.Note($"{Name} at {_node}: {type.Name} {message.RoomId} {message.A}");
        return true;
    }

    private void OnEnded(int life, bool isReset)
    {
        if (life != _life)
        {
            return;
        }

        world.Note($"{Name}: the link has ended{(isReset ? " by a reset" : "")}");
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
        if (IsOnline)
        {
            (_formerFrames, _hasFormer) = (_frames, true);
        }

        IsOnline = false;
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
        _heardAt = world.Clock.Elapsed;
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
            Require(false, "whole frames", $"{Name} got packet {id} with {body.Length} bytes");
            return;
        }

        Wire message = Wire.Read(body);
        world.NoteDelivery(user, id, message.RoomId, message.A);
        switch (id)
        {
            case 101:
                _token = message.Bytes.ToArray();
                GoOnline();
                break;
            case 102:
                OnResumed(message);
                break;
            case 104:
                break;
            case 105 when message.B == 0 || _rooms.GetValueOrDefault(message.RoomId)?.Number == message.A:
                _rooms.Remove(message.RoomId);
                break;
            case 105:
                break; // of a former membership
            case 107:
                _token = [];
                _hasFormer = false;
                _link!.ClientClose();
                Retry();
                break;
            case 108 when message.A == 0 && message.B == _life:
                _rooms.Remove(message.RoomId); // the membership has ended while it was away
                break;
            case 108:
                break;
            case 109:
                world.Count("messages to a room that the client has left");
                _rooms.Remove(message.RoomId);
                break;
            case 120:
                OnEvent(message);
                break;
            case 121:
                OnSnapshot(message);
                break;
            case 122:
                OnAcknowledged(message);
                break;
            default:
                Require(false, "whole frames", $"{Name} got the unknown packet {id}");
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
            _token = [];
            _hasFormer = false;
            _link!.ClientClose();
            Retry();
            return;
        }

        world.Count("resumes");
        _token = message.Bytes.ToArray();
        Send(WirePacket.Confirm, new Wire(0, 0, 0, default));
        foreach (RoomView room in _rooms.Values)
        {
            room.IsReturning = true;
            room.Returns++;
            room.IsLeaving = false;
            Send(WirePacket.Check, new Wire(room.Id, _life, 0, default), isForced: true);
        }

        GoOnline();
    }

    private void OnSnapshot(Wire message)
    {
        var reason = (SnapshotReason)message.B;
        ReadOnlySpan<byte> bytes = message.Bytes.Span;
        int number = BinaryPrimitives.ReadInt32BigEndian(bytes[sizeof(int)..]);
        if (!Hears(message, out Tenure? tenure))
        {
            return;
        }

        if (!_rooms.TryGetValue(message.RoomId, out RoomView? room))
        {
            if (reason != SnapshotReason.Entered)
            {
                return; // it has left meanwhile
            }

            room = new RoomView(message.RoomId);
            _rooms.Add(room.Id, room);
        }

        if (room.IsLeaving && reason != SnapshotReason.Entered)
        {
            return; // the node sends it the room's events no more
        }

        if (reason == SnapshotReason.Recovered)
        {
            Require(
                room.Returns != 1 || (room.Last == message.A && !room.HasGap && room.Number == number),
                "resume keeps its word",
                $"{Name} returned to room {room.Id} with event {room.Last}{(room.HasGap ? " and a gap" : "")}, and the room says that it "
                    + $"has missed none of {message.A}");
        }

        Require(message.A <= tenure.Count, "one order", $"{Name} got a state of room {room.Id} that it never had");
        room.Tenure = tenure;
        room.IsLeaving &= room.Number == number;
        room.Number = number;
        room.Returns = reason switch
        {
            SnapshotReason.Entered => 0,
            SnapshotReason.Recovered => Math.Max(0, room.Returns - 1),
            _ => room.Returns,
        };
        room.IsReturning = false;
        room.HasGap = false;
        room.Last = message.A;
        room.Members.Clear();
        for (int at = 2 * sizeof(int); at < bytes.Length; at += sizeof(int))
        {
            room.Members.Add(BinaryPrimitives.ReadInt32BigEndian(bytes[at..]));
        }

        SayAgain(room.Id);
    }

    private void OnEvent(Wire message)
    {
        if (!Hears(message, out Tenure? tenure) || !_rooms.TryGetValue(message.RoomId, out RoomView? room))
        {
            return; // it has left, or was taken out
        }

        Require(
            tenure.At(message.A) is { } expected && (int)expected.Kind == message.B
                && expected.Encode(world.Plan.Fill).AsSpan().SequenceEqual(message.Bytes.Span[sizeof(int)..]),
            "one order",
            $"{Name} got another event {message.A} of room {room.Id} as {tenure.Tag} than {tenure.At(message.A)}");
        if (tenure != room.Tenure || room.HasGap)
        {
            room.HasGap = true; // the room tells it the state
            return;
        }

        if (message.A != room.Last + 1)
        {
            Require(
                message.A > room.Last && (room.IsReturning || _node!.HasGap),
                "no gap",
                $"{Name} got event {message.A} of room {room.Id} after {room.Last}");
            room.HasGap = true;
            return;
        }

        room.Last = message.A;
        int member = BinaryPrimitives.ReadInt32BigEndian(message.Bytes.Span[sizeof(int)..]);
        if (message.B == (int)EventKind.Join)
        {
            room.Members.Add(member);
        }
        else if (message.B == (int)EventKind.Leave)
        {
            room.Members.Remove(member);
        }
    }

    private void OnAcknowledged(Wire message)
    {
        if (world.History.Find(message.B) is { } tenure)
        {
            Require(
                tenure.Find(user, message.A) > 0,
                "nothing acknowledged lost",
                $"{Name} has an answer to message {message.A}, which room {message.RoomId} has not ordered");
        }

        if (_unacknowledged.GetValueOrDefault(message.RoomId)?.Remove(message.A) == true)
        {
            world.Count("messages acknowledged");
        }
    }

    /// <summary>Finds out which object of a room has sent something: never one of an earlier owner than the client has heard of.</summary>
    private bool Hears(Wire message, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out Tenure? tenure)
    {
        tenure = world.History.Find(BinaryPrimitives.ReadInt32BigEndian(message.Bytes.Span));
        if (tenure is null || tenure.RoomId != message.RoomId)
        {
            Require(false, "one order", $"{Name} got something of room {message.RoomId} that no object of it has sent");
            return false;
        }

        int newest = _newest.GetValueOrDefault(tenure.RoomId);
        Require(
            tenure.Grant >= newest,
            "one owner",
            $"{Name} hears of room {tenure.RoomId} as {tenure.Tag}, ownership {tenure.Grant}, after ownership {newest}");
        _newest[tenure.RoomId] = Math.Max(newest, tenure.Grant);
        return true;
    }

    private void Require(bool holds, string rule, string details) => world.Judge.Require(holds, rule, details);
}
