using System.Buffers.Binary;
using PlayChat.Core.Rooms;

namespace PlayChat.Simulation;

/// <summary>A client that keeps the rules: it logs in, joins, talks, leaves, resumes and logs out, on a bad network.</summary>
internal sealed class SimulatedClient(World world, int user, Dice dice)
    : WireClient<World, WorldRoom>(world, user, dice, new Dictionary<long, WorldRoom>())
{
    private bool _mayHaveMissed; // more than the events of rooms that follow the former connection
    private int _number;
    private int _joining;
    private int _checking; // its rooms that have not said whether it is still a member
    private QueuePlayer? _queue;

    internal QueuePlayer Queue => _queue ??= new QueuePlayer(World, Name, Dice, Send);

    private protected override TimeSpan AnswerTimeout => TimeSpan.FromSeconds(60);

    /// <summary>Whether an answer may come, other than to what it says in its only room.</summary>
    private bool IsWaiting =>
        Rooms.Count != 1 || _joining > 0 || _checking > 0 || World.Plan is not { Loose: 0, Queue: null, ReplayBytes: > 0 }
        || Rooms.Values.Any(static room => room.IsLeaving || room.IsReturning || room.Unacknowledged.Count > 0);

    private protected override SimulatedLink? Open() => World.Network.Connect();

    /// <summary>An impatient client does not wait for what it has asked on this connection.</summary>
    private void BreakSoon()
    {
        if (World.Plan.Impatience == 0 || IsCalm || !Dice.Chance(World.Plan.Impatience))
        {
            return;
        }

        After(Dice.Between(0, Dice.Pick(0.02, 0.5)), () =>
        {
            World.Count("resumes on the next connection at once");
            if (Dice.Chance(0.5))
            {
                Link!.ClientClose();
            }
            else
            {
                Link!.ClientReset();
            }

            Lose();
            Start(Dice.Between(0, Dice.Pick(0.02, 0.5)));
        });
    }

    private protected override void ActOnce()
    {
        if (World.Plan.Queue is not null && Dice.Chance(0.4))
        {
            Queue.Act();
            return;
        }

        int draw = Dice.Next(100);
        WorldRoom? room = Rooms.Count > 0 ? Rooms.Values.ElementAt(Dice.Next(Rooms.Count)) : null;
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
                for (int left = Dice.Next(20); left > 0; left--)
                {
                    Say(room);
                }

                break;
            case < 24 when breaks:
                World.Note($"{Name}: resets the link");
                Break("links reset by clients", static link => link.ClientReset());
                break;
            case < 27 when breaks:
                World.Note($"{Name}: closes the link");
                Break("links closed by clients", static link => link.ClientClose());
                break;
            case < 30 when breaks:
                World.Note($"{Name}: vanishes");
                Break("half-open links", static link => link.ClientVanish());
                break;
            case 30 when breaks:
                World.Count("handlers that throw");
                Send(WirePacket.Throw, new Wire(0, 0, 0, default));
                break;
            case 31:
                Send(WirePacket.Logout, new Wire(0, 0, 0, default));
                break;
            case 32:
                Token = []; // forgotten, and the session is still there
                Break("second logins", static link => link.ClientVanish());
                break;
            case < 36 when World.Plan.Has(Faults.SlowReaders):
                ReadLater();
                break;
            default:
                Say(room);
                break;
        }
    }

    private protected override void Join()
    {
        _joining++;
        if (!Send(WirePacket.Join, new Wire(0, Dice.Next(World.Plan.RoomNames), 0, default)))
        {
            _joining--;
        }
    }

    private protected override void Say(WorldRoom room)
    {
        var say = new Wire(room.Id, ++_number, 0, new byte[Dice.Next(World.Plan.Fill + 1)]);
        if (!room.IsLeaving && Send(Dice.Pick(WirePacket.Say, WirePacket.SayFrame), say))
        {
            room.Unacknowledged.Add(say.A);
        }
    }

    private protected override void Lose()
    {
        _mayHaveMissed = !IsOnline || !HasReadAll || IsWaiting;
        (_joining, _checking) = (0, 0);
        base.Lose();
    }

    private protected override void OnLoggedIn() => Queue.OnLoggedIn();

    private protected override void OnResuming() => BreakSoon();

    private protected override bool OnPacket(ushort id, Wire message)
    {
        Require(
            id is not (120 or 122 or 123) || World.Plan.ReplayBytes > 0
                || !Rooms.TryGetValue(message.RoomId, out WorldRoom? room) || !room.IsReturning,
            "resume comes first",
            $"{Name} got packet {id} of room {message.RoomId}, which has not returned it and replays nothing");
        switch (id)
        {
            case 104:
                _joining--;
                Require(
                    !World.IsSettled || message.A != (int)JoinStatus.SessionEnded,
                    "liveness",
                    $"{Name} is logged in, and the server says that its session has ended");
                break;
            case 105:
                Rooms.Remove(message.RoomId);
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
                return Queue.OnFrame(id, message);
        }

        return true;
    }

    private protected override void OnResumed()
    {
        foreach (WorldRoom room in Rooms.Values)
        {
            room.IsReturning = true;
            room.IsLeaving = false;
            _checking++;
            Send(WirePacket.Check, new Wire(room.Id, Life, 0, default), isForced: true);
            foreach (int number in room.Unacknowledged)
            {
                Send(WirePacket.Say, new Wire(room.Id, number, 1, default), isForced: true);
            }
        }

        Queue.OnResumed();
        BreakSoon();
    }

    private void OnChecked(Wire message)
    {
        // The room may have kept an answer for the client while it was away: only the one to the newest question counts.
        if (message.B != Life)
        {
            return;
        }

        _checking--;
        if (!Rooms.TryGetValue(message.RoomId, out WorldRoom? room))
        {
            return;
        }

        if (message.A == 0)
        {
            Rooms.Remove(room.Id);
            return;
        }

        Require(!room.IsReturning, "members return", $"{Name} is in room {room.Id}, which has not said what was missed");
    }

    private void OnNoRoom(Wire message)
    {
        if (!Rooms.TryGetValue(message.RoomId, out WorldRoom? room))
        {
            return;
        }

        World.Count("messages to a room that the client has left");
        Rooms.Remove(room.Id);
    }

    private void OnSnapshot(Wire message)
    {
        var reason = (SnapshotReason)message.B;
        if (!Rooms.TryGetValue(message.RoomId, out WorldRoom? room))
        {
            room = new WorldRoom(message.RoomId);
            Rooms.Add(room.Id, room);
        }

        ReadOnlySpan<byte> bytes = message.Bytes.Span;
        int number = BinaryPrimitives.ReadInt32BigEndian(bytes);
        if (reason == SnapshotReason.Recovered)
        {
            Require(
                room.Last == message.A && !room.HasGap && room.Number == number,
                "resume keeps its word",
                $"{Name} returned to room {room.Id} with event {room.Last}{(room.HasGap ? " and a gap" : "")}, and the room says that it "
                    + $"has missed none of {message.A}");
        }

        Require(
            reason != SnapshotReason.Returned || _mayHaveMissed || room.HasGap || room.Last != message.A || room.Number != number,
            "resume keeps its word",
            $"{Name} returned to room {room.Id} with all of {message.A} events, and the room says that it has missed something");
        if (room.Number != number)
        {
            room.Unacknowledged.Clear(); // the room has taken the client out meanwhile: what it had said may be lost
            room.IsLeaving = false;
        }

        room.Restore(number, message.A, bytes[sizeof(int)..]);
    }

    private void OnEvent(Wire message)
    {
        if (!Rooms.TryGetValue(message.RoomId, out WorldRoom? room))
        {
            return; // it has left, or was taken out
        }

        World.Judge.CheckEvent(Name, room.Id, message.A, (EventKind)message.B, message.Bytes.Span);
        if (room.IsReturning && message.A != room.Last + 1)
        {
            room.HasGap = true;
        }

        Require(
            room.IsReturning || message.A == room.Last + 1,
            "no gap",
            $"{Name} got event {message.A} of room {room.Id} after {room.Last}");
        room.Follow(message.A, (EventKind)message.B, BinaryPrimitives.ReadInt32BigEndian(message.Bytes.Span));
    }

    private void OnPresence(Wire message)
    {
        if (Rooms.TryGetValue(message.RoomId, out WorldRoom? room))
        {
            Require(
                message.A > room.Presence[message.B],
                "one order",
                $"{Name} got the count {message.A} of room {room.Id} after {room.Presence[message.B]}");
            room.Presence[message.B] = message.A;
        }
    }

    private void OnAcknowledged(Wire message)
    {
        if (!Rooms.TryGetValue(message.RoomId, out WorldRoom? room))
        {
            return;
        }

        // A room answers behind what it has told everybody before.
        room.HasGap |= room.IsReturning && message.B > room.Last;
        Require(
            room.IsReturning || message.B <= room.Last,
            "one order",
            $"{Name} knows event {room.Last} of room {room.Id} and got an answer from behind event {message.B}");
        if (room.Unacknowledged.Remove(message.A))
        {
            World.Count("messages acknowledged");
            Require(
                World.Judge.Rooms[room.Id].Said.Contains((User, message.A)),
                "nothing acknowledged lost",
                $"{Name} has an answer to message {message.A}, which room {room.Id} has not ordered");
        }
    }
}
