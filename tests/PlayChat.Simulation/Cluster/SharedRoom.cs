using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using PlayChat.Cluster.OwnedRooms;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Simulation.Cluster;

/// <summary>A room of the cluster that gives each event a number, tells its members, and acknowledges a message when its state with the
/// message is on its way to the log.</summary>
/// <remarks>The object of a node's replica has no tenure, and does nothing.</remarks>
internal sealed class SharedRoom : Room<SharedMember>
{
    private readonly ClusterWorld _world;
    private readonly ClusterNode _node;
    private readonly Tenure? _tenure;
    private readonly Dictionary<long, int> _restored = []; // the numbers of members, by their sessions
    private readonly List<(Session To, int Number, int Count)> _answers = []; // for which the state is not published
    private int _published;
    private bool _hasBegun;
    private bool _isReconciled;

    internal SharedRoom(RoomContext context, ClusterNode node)
        : base(context)
    {
        _world = node.World;
        _node = node;
        if (context.Role is OwnedRoom owned)
        {
            _tenure = _world.History.Begin(Id, TenureOf(owned).Life.Origin);
        }
    }

    /// <summary>What the object has done in which the room runs; <see langword="null"/> for a replica.</summary>
    internal Tenure? Tenure => _tenure;

    /// <summary>The room as this node runs it; <see langword="null"/> while another one does.</summary>
    internal SharedRoom? Owned => (SharedRoom?)Role!.Runner;

    private Tenure Own => _tenure ?? throw new InvalidOperationException("A replica runs no hooks.");

    internal void OnSay(SharedMember member, Wire say)
    {
        Reconcile();
        int user = UserOf(member);
        _world.History.OnAttempt(Id, _node, user, say.B);
        int count = Own.Find(user, say.A);
        if (count == 0)
        {
            Order(new RoomEvent(EventKind.Say, member.Number, say.A), except: null, user);
            count = Own.Count;
        }

        _answers.Add((member.Session, say.A, count));
        if (count <= _published)
        {
            Acknowledge();
        }
    }

    /// <summary>Takes a member out, as a moderator does. What another node runs by now has its members there.</summary>
    internal void Expel(Dice dice)
    {
        if (!IsRemoved && Members.Count > 0)
        {
            _world.Count("expelled members");
            Leave(Members[dice.Next(Members.Count)].Session);
        }
    }

    /// <summary>Ends the room on all nodes.</summary>
    internal void End() => Remove();

    protected override JoinDecision<SharedMember> OnJoining(Session session) =>
        new SharedMember(session, _restored.Remove(session.Id, out int number) ? number : _world.NextMember());

    protected override void OnJoined(SharedMember member)
    {
        Reconcile();
        Order(new RoomEvent(EventKind.Join, member.Number, 0), except: member.Session, session: member.Session.Id);
        SendSnapshot(member, SnapshotReason.Entered);
    }

    protected override void OnLeave(SharedMember member, LeaveReason reason)
    {
        Reconcile();
        _world.Count($"leaves as {reason}");
        Order(new RoomEvent(EventKind.Leave, member.Number, 0), except: member.Session);
        SendPacket(member.Session, new Wire(Id, member.Number, 1, default), type: WirePacket.Left);
    }

    protected override void OnAway(SharedMember member) => _world.Count("members away");

    protected override void OnReturn(SharedMember member)
    {
        Reconcile();
        _world.Count(member.IsRecovered ? "members recovered" : "members told of a loss");
        SendSnapshot(member, member.IsRecovered ? SnapshotReason.Recovered : SnapshotReason.Returned);
    }

    protected override void OnSnapshot(IBufferWriter<byte> state)
    {
        Reconcile();
        if (!_hasBegun)
        {
            _hasBegun = true;
            if (!_node.Machine.Process.IsDead)
            {
                _world.History.OnBegun(Own);
            }
        }

        int fill = Own.Count * 7 % _world.Cluster.StateFill;
        byte[] bytes = new byte[(2 * sizeof(int)) + fill];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, Own.Tag);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(sizeof(int)), Own.Count);
        bytes.AsSpan(2 * sizeof(int)).Fill((byte)Own.Count);
        state.Write(bytes);
        _published = Own.Count;
        if (_answers.Count > 0)
        {
            After(TimeSpan.Zero, Acknowledge); // what a room sends later is behind its state in the log
        }
    }

    protected override void OnRestore(ReadOnlySpan<byte> state)
    {
        int count = BinaryPrimitives.ReadInt32LittleEndian(state[sizeof(int)..]);
        Tenure? from = _world.History.Find(BinaryPrimitives.ReadInt32LittleEndian(state));
        ReadOnlySpan<byte> fill = state[(2 * sizeof(int))..];
        _world.Judge.Require(
            from is not null && count <= from.Count && fill.Length == count * 7 % _world.Cluster.StateFill
                && !fill.ContainsAnyExcept((byte)count),
            "whole states",
            $"room {Id} got a state that it has not written");
        _world.Judge.Require(
            Own.Count == 0 && _published == 0, "nothing twice", $"room {Id} is restored twice, or after it has done something");
        if (from is not null && Own.Count == 0)
        {
            Own.Continue(from, count);
            _published = count;
            foreach ((int number, long session) in Own.Members)
            {
                _restored[session] = number;
            }
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_tenure")]
    private static extern ref RoomTenure TenureOf(OwnedRoom owned);

    private static int UserOf(SharedMember member) => (int)(member.Session.User?.Id ?? 0);

    /// <summary>Makes the members of the state those that the room has: since the state was published, others may have come and
    /// gone.</summary>
    private void Reconcile()
    {
        if (_isReconciled)
        {
            return;
        }

        _isReconciled = true;
        HashSet<int> present = [.. Members.Select(static member => member.Number)];
        foreach (int number in Own.Members.Keys.Where(number => !present.Contains(number)).ToArray())
        {
            Order(new RoomEvent(EventKind.Leave, number, 0), except: null);
        }

        foreach (SharedMember member in Members)
        {
            if (!Own.Members.ContainsKey(member.Number))
            {
                Order(new RoomEvent(EventKind.Join, member.Number, 0), except: null, session: member.Session.Id);
            }
        }
    }

    private void Acknowledge()
    {
        foreach ((Session to, int number, int count) in _answers)
        {
            if (count <= _published)
            {
                SendPacket(to, new Wire(Id, number, Own.Tag, default), type: WirePacket.Acknowledged);
            }
        }

        _answers.RemoveAll(answer => answer.Count <= _published);
    }

    private void Order(RoomEvent item, Session? except, int user = 0, long session = 0)
    {
        Own.Add(item, user, session);
        _world.Note($"room {Id} as {Own.Tag}: {Own.Count} {item.Kind} {item.Member} {item.Number}");
        byte[] tag = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(tag, Own.Tag);
        BroadcastPacket(
            new Wire(Id, Own.Count, (int)item.Kind, (byte[])[.. tag, .. item.Encode(_world.Plan.Fill)]),
            type: WirePacket.Event,
            except: except);
    }

    private void SendSnapshot(SharedMember member, SnapshotReason reason)
    {
        _world.Note($"room {Id} as {Own.Tag}: tells member {member.Number} the state {Own.Count}, {reason}");
        int[] numbers = [.. Members.Select(static member => member.Number).Order()];
        _world.Judge.Require(
            numbers.SequenceEqual(Own.Members.Keys),
            "member lists agree",
            $"room {Id} has the members {string.Join(' ', numbers)}, and was told of {string.Join(' ', Own.Members.Keys)}");
        byte[] bytes = new byte[sizeof(int) * (numbers.Length + 2)];
        BinaryPrimitives.WriteInt32BigEndian(bytes, Own.Tag);
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(sizeof(int)), member.Number);
        for (int i = 0; i < numbers.Length; i++)
        {
            BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(sizeof(int) * (i + 2)), numbers[i]);
        }

        SendPacket(member.Session, new Wire(Id, Own.Count, (int)reason, bytes), type: WirePacket.Snapshot);
    }
}
