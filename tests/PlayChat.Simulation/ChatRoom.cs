using System.Buffers.Binary;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Simulation;

/// <summary>A room that gives each event a number, and tells its members.</summary>
internal sealed class ChatRoom : Room<ChatMember>
{
    private readonly World _world;
    private readonly RoomLog _log;
    private long _executed;
    private TimeSpan _executedAt;
    private int _presence;

    internal ChatRoom(RoomContext context, World world)
        : base(context)
    {
        _world = world;
        _log = new RoomLog(Name);
        _executedAt = world.Clock.Elapsed;
        world.Judge.Rooms.Add(Id, _log);
    }

    // Longer than a turn waits for slow members, and than the clock is suspended.
    private TimeSpan Patience => TimeSpan.FromSeconds(_world.Plan.Has(Faults.ClockSteps) ? 20 : 3);

    /// <summary>When a session last wanted to join.</summary>
    internal TimeSpan AskedAt { get; private set; } = TimeSpan.MaxValue;

    /// <summary>Whether it is without members for so long that it must have ended.</summary>
    internal bool IsLeftOver => MemberCount == 0 && _world.Clock.Elapsed - AskedAt > Patience && !_log.HasEnded;

    /// <summary>Whether jobs wait and none runs. Call it again and again.</summary>
    internal bool IsStuck()
    {
        RoomActivity activity = Activity;
        if (activity.QueuedJobs == 0 || activity.JobsExecuted != _executed)
        {
            (_executed, _executedAt) = (activity.JobsExecuted, _world.Clock.Elapsed);
        }

        return _world.Clock.Elapsed - _executedAt > Patience;
    }

    internal void OnSay(ChatMember member, Wire say)
    {
        int user = UserOf(member);
        int number = say.A;
        if (!_log.Said.Contains((user, number)) || _world.Variant == Variant.RepeatedMessage)
        {
            Order(new RoomEvent(EventKind.Say, member.Number, number), except: null, user);
            TellPresence(number);
        }

        SendPacket(member.Session, new Wire(Id, number, _log.Events.Count, default), type: WirePacket.Acknowledged);
    }

    internal void OnCheck(Session session, int number)
    {
        bool isMember = Find(session) is not null;
        _world.Note($"room {Id}: session {session.Id} asks whether it is a member: {isMember}");
        SendPacket(session, new Wire(Id, isMember ? 1 : 0, number, default), type: WirePacket.Checked);
    }

    /// <summary>Takes a member out, as a moderator does.</summary>
    internal void Expel(Dice dice)
    {
        if (Members.Count > 0)
        {
            _world.Count("expelled members");
            Leave(Members[dice.Next(Members.Count)].Session);
        }
    }

    protected override void OnFrame(Session from, FrameHeader header, ReadOnlySpan<byte> body)
    {
        if (Find(from) is { } member)
        {
            OnSay(member, Wire.Read(body));
        }
        else
        {
            SendPacket(from, new Wire(Id, 0, 0, default), type: WirePacket.NoRoom);
        }
    }

    protected override JoinDecision<ChatMember> OnJoining(Session session)
    {
        AskedAt = _world.Clock.Elapsed;
        return _world.Refuses() ? Refuse("Not today.") : new ChatMember(session, _world.NextMember());
    }

    protected override void OnJoined(ChatMember member)
    {
        _log.Members.Add(member.Number, member.Session);
        Order(new RoomEvent(EventKind.Join, member.Number, 0), except: member.Session);
        SendSnapshot(member, SnapshotReason.Entered);
    }

    protected override void OnLeave(ChatMember member, LeaveReason reason)
    {
        _world.Count($"leaves as {reason}");
        if (_world.Variant == Variant.GhostMember && reason == LeaveReason.SessionEnded)
        {
            return;
        }

        _log.Members.Remove(member.Number);
        Order(new RoomEvent(EventKind.Leave, member.Number, 0), except: null);
    }

    protected override void OnAway(ChatMember member)
    {
        _world.Count("members away");
        _world.Note($"room {Id}: member {member.Number} is away");
    }

    protected override void OnReturn(ChatMember member)
    {
        _world.Count(member.IsRecovered ? "members recovered" : "members returned with a loss");
        _world.Note($"room {Id}: member {member.Number} returns, recovered: {member.IsRecovered}");
        SendSnapshot(member, member.IsRecovered ? SnapshotReason.Recovered : SnapshotReason.Returned);
    }

    protected override void OnDispose() => _log.HasEnded = true;

    protected override void OnCreate()
    {
        if (_world.Plan.TickHertz > 0)
        {
            StartTick(_world.Plan.TickHertz);
        }
    }

    protected override void OnTick(in RoomTick tick)
    {
        if (_world.IsChaos)
        {
            _world.Count("ticks");
            Order(new RoomEvent(EventKind.Tick, 0, (int)(tick.Number % 1000)), except: null);
        }
    }

    private static int UserOf(ChatMember member) => (int)(member.Session.User?.Id ?? 0);

    private void Order(RoomEvent item, Session? except, int user = 0)
    {
        _world.Interrupt();
        _world.Judge.NoteEvent(Id, _log, item, user);
        int sequence = _log.Events.Count;
        _world.Note($"room {Id}: {sequence} {item.Kind} {item.Member} {item.Number}");
        BroadcastPacket(new Wire(Id, sequence, (int)item.Kind, item.Encode(_world.Plan.Fill)), type: WirePacket.Event, except: except);
    }

    private void TellPresence(int number)
    {
        if (_world.Plan.Loose > 0 && number % 3 == 0)
        {
            int key = number % 2;
            BroadcastPacket(
                new Wire(Id, ++_presence, key, default),
                _world.Plan.Loose == 1 ? Delivery.DropIfBehind : Delivery.LatestOnly(key),
                type: WirePacket.Presence);
        }
    }

    private void SendSnapshot(ChatMember member, SnapshotReason reason)
    {
        byte[] members = new byte[4 * (_log.Members.Count + 1)];
        BinaryPrimitives.WriteInt32BigEndian(members, member.Number);
        int at = 4;
        foreach (int number in _log.Members.Keys)
        {
            BinaryPrimitives.WriteInt32BigEndian(members.AsSpan(at), number);
            at += 4;
        }

        SendPacket(member.Session, new Wire(Id, _log.Events.Count, (int)reason, members), type: WirePacket.Snapshot);
    }
}
