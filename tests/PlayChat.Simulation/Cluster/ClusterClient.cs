using System.Buffers.Binary;

namespace PlayChat.Simulation.Cluster;

/// <summary>A client of the cluster: it logs in on any node, joins, talks, leaves, resumes, and goes to another node when its own is
/// silent.</summary>
internal sealed class ClusterClient(ClusterWorld world, int user, Dice dice)
    : WireClient<ClusterWorld, RoomView>(world, user, dice, new SortedDictionary<long, RoomView>())
{
    private readonly SortedDictionary<long, SortedSet<int>> _unacknowledged = []; // by room id; also of former sessions
    private readonly Dictionary<long, int> _newest = []; // the newest ownership of each room that the client has heard of
    private int _number;
    private int _attempt;
    private TimeSpan _resumedAt; // when it asked for its session
    private int _resumes; // that it has asked for since it was online

    internal ClusterNode? Node { get; private set; }

    private protected override TimeSpan AnswerTimeout => TimeSpan.FromSeconds(15);

    private protected override TimeSpan SilenceTimeout => TimeSpan.FromSeconds(35); // longer than the heartbeats of a server

    private protected override string Sender => $"{Name} at {Node}";

    /// <summary>A message in a room that has no answer; 0 if there is none.</summary>
    internal int UnansweredIn(long roomId) => _unacknowledged.GetValueOrDefault(roomId)?.FirstOrDefault() ?? 0;

    private protected override SimulatedLink? Open()
    {
        if (Token.Length == 0 || Node is not { Machine.Process.IsDead: false } || !Dice.Chance(0.7))
        {
            Token = []; // no other node knows it
            Node = World.PickNode(Dice);
        }

        return Node?.Connect();
    }

    private protected override void OnNoAnswer() => Token = []; // it goes to another node

    private protected override void ActOnce()
    {
        int draw = Dice.Next(100);
        RoomView? room = Rooms.Count > 0 ? Rooms.Values.ElementAt(Dice.Next(Rooms.Count)) : null;
        if (room is null || draw < 8)
        {
            Join();
            return;
        }

        bool breaks = World.Plan.Has(Faults.Breaks);
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
                for (int left = Dice.Next(10); left > 0; left--)
                {
                    Say(room);
                }

                break;
            case < 22 when breaks:
                Break("links reset by clients", static link => link.ClientReset());
                break;
            case < 24 when breaks:
                Break("links closed by clients", static link => link.ClientClose());
                break;
            case < 26 when breaks:
                Break("half-open links", static link => link.ClientVanish());
                break;
            case 26:
                Send(WirePacket.Logout, new Wire(0, 0, 0, default));
                break;
            case 27: // it moves to another node, and its session is still there
                Token = [];
                Break("second logins", static link => link.ClientVanish());
                break;
            case < 30 when World.Plan.Has(Faults.SlowReaders):
                ReadLater();
                break;
            default:
                Say(room);
                break;
        }
    }

    private protected override void Join() => Send(WirePacket.Join, new Wire(0, Dice.Next(World.Plan.RoomNames), 0, default));

    private protected override void Say(RoomView room)
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
        WirePacket.Say, new Wire(roomId, number, ++_attempt, new byte[Dice.Next(Math.Min(World.Plan.Fill, 1000) + 1)]), isForced);

    /// <summary>What the client has said may be lost: the room may have had no owner.</summary>
    private void SayAgain(long roomId)
    {
        foreach (int number in _unacknowledged.GetValueOrDefault(roomId) ?? [])
        {
            Say(roomId, number, isForced: true);
        }
    }

    private protected override bool OnPacket(ushort id, Wire message)
    {
        switch (id)
        {
            case 104:
                break;
            case 105 when message.B == 0 || (Rooms.TryGetValue(message.RoomId, out RoomView? room) && room.Number == message.A):
                Rooms.Remove(message.RoomId);
                break;
            case 105:
                break; // of a former membership
            case 108 when message.A == 0 && message.B == Life:
                Rooms.Remove(message.RoomId); // the membership has ended while it was away
                break;
            case 108:
                break;
            case 109:
                World.Count("messages to a room that the client has left");
                Rooms.Remove(message.RoomId);
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
                return false;
        }

        return true;
    }

    private protected override void OnResuming()
    {
        _resumedAt = World.Clock.Elapsed;
        _resumes++;
    }

    private protected override void OnLoggedIn() => _resumes = 0;

    private protected override void OnResumed()
    {
        foreach (RoomView room in Rooms.Values)
        {
            room.IsReturning = true;
            room.Returns += _resumes; // the node may have answered the others, too
            room.MayHaveLeft |= room.IsLeaving;
            room.IsLeaving = false;
            Send(WirePacket.Check, new Wire(room.Id, Life, 0, default), isForced: true);
        }

        _resumes = 0;
        World.Count("logins"); // a resume is one, too
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

        if (!Rooms.TryGetValue(message.RoomId, out RoomView? room))
        {
            if (reason != SnapshotReason.Entered)
            {
                return; // it has left meanwhile
            }

            room = new RoomView(message.RoomId);
            Rooms.Add(room.Id, room);
        }

        if (room.IsLeaving && reason != SnapshotReason.Entered)
        {
            return; // the node sends it the room's events no more
        }

        if (reason == SnapshotReason.Recovered)
        {
            // What its node has missed since then, the owner learns behind the return, and tells the client its state again.
            bool isExact = room.Returns == 1 && !room.MayHaveLeft && !(Node!.Machine.MissedAt >= _resumedAt);
            Require(
                !isExact || (room.Last == message.A && !room.HasGap && room.Number == number),
                "resume keeps its word",
                $"{Name} returned to room {room.Id} with event {room.Last}{(room.HasGap ? " and a gap" : "")}, and the room says that it "
                    + $"has missed none of {message.A}");
        }

        Require(message.A <= tenure.Count, "one order", $"{Name} got a state of room {room.Id} that it never had");
        room.Tenure = tenure;
        room.IsLeaving &= room.Number == number;
        room.MayHaveLeft &= reason == SnapshotReason.Recovered;
        room.Returns = reason switch
        {
            SnapshotReason.Entered => 0,
            SnapshotReason.Recovered => Math.Max(0, room.Returns - 1),
            _ => room.Returns,
        };
        room.Restore(number, message.A, bytes[(2 * sizeof(int))..]);
        SayAgain(room.Id);
    }

    private void OnEvent(Wire message)
    {
        if (!Hears(message, out Tenure? tenure) || !Rooms.TryGetValue(message.RoomId, out RoomView? room))
        {
            return; // it has left, or was taken out
        }

        Require(
            tenure.At(message.A) is { } expected && (int)expected.Kind == message.B
                && expected.Encode(World.Plan.Fill).AsSpan().SequenceEqual(message.Bytes.Span[sizeof(int)..]),
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
                message.A > room.Last && (room.IsReturning || Node!.Machine.HasGap),
                "no gap",
                $"{Name} got event {message.A} of room {room.Id} after {room.Last}");
            room.HasGap = true;
            return;
        }

        room.Follow(message.A, (EventKind)message.B, BinaryPrimitives.ReadInt32BigEndian(message.Bytes.Span[sizeof(int)..]));
    }

    private void OnAcknowledged(Wire message)
    {
        if (World.History.Find(message.B) is { } tenure)
        {
            Require(
                tenure.Find(User, message.A) > 0,
                "nothing acknowledged lost",
                $"{Name} has an answer to message {message.A}, which room {message.RoomId} has not ordered");
        }

        if (_unacknowledged.GetValueOrDefault(message.RoomId)?.Remove(message.A) == true)
        {
            World.Count("messages acknowledged");
        }
    }

    /// <summary>Finds out which object of a room has sent something: never one of an earlier owner than the client has heard of.</summary>
    private bool Hears(Wire message, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out Tenure? tenure)
    {
        tenure = World.History.Find(BinaryPrimitives.ReadInt32BigEndian(message.Bytes.Span));
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
}
