using System.Buffers;
using System.Collections.Concurrent;
using System.Text;
using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using static PlayChat.Cluster.Tests.Rooms.HallPackets;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>A room of a cluster that numbers what its members say. Its state is the number, and how often each one has spoken.</summary>
internal sealed class Hall(RoomContext context) : Room<Guest, Enter>(context)
{
    /// <summary>The numbers that rooms have published last, by the rooms' names.</summary>
    public static readonly ConcurrentDictionary<string, int> Published = new(StringComparer.Ordinal);

    /// <summary>How often the pulse of a room object has run, by the tags of the objects.</summary>
    public static readonly ConcurrentDictionary<string, int> Pulses = new(StringComparer.Ordinal);

    /// <summary>How often a room object has ticked, by the tags of the objects.</summary>
    public static readonly ConcurrentDictionary<string, int> Ticks = new(StringComparer.Ordinal);

    /// <summary>How often a replica without sessions was told of a transfer, by the rooms' names.</summary>
    public static readonly ConcurrentDictionary<string, int> Placed = new(StringComparer.Ordinal);

    /// <summary>What a room waits for in its turn, by the rooms' names.</summary>
    public static readonly ConcurrentDictionary<string, ManualResetEventSlim> Gates = new(StringComparer.Ordinal);

    private readonly string _tag = Guid.NewGuid().ToString("N")[..8];
    private readonly Dictionary<long, int> _restored = [];
    private int _count;
    private bool _hasNoState;
    private int _stateBytes;

    public void End() => Remove();

    public int CountMembers() => Members.Count;

    public Guest? Of(Session session) => Find(session);

    public JoinResult<Guest> LetIn(Session session) => Join(session, new Enter("let in"));

    public void OnSay(Guest guest, Say say)
    {
        guest.Score++;
        BroadcastPacket(new Said($"{guest.Name} {say.Text} #{++_count}"));
    }

    public Told OnAsk(PacketContext request, Guest guest, Ask ask)
    {
        switch (ask.Question)
        {
            case "pulse":
                Every(TimeSpan.FromMilliseconds(20), () =>
                {
                    Pulses.AddOrUpdate(_tag, 1, static (_, before) => before + 1);
                    BroadcastPacket(new Said($"pulse {_tag}"));
                });
                break;
            case "reply":
                request.Reply(new Said("a reply"));
                break;
            case "direct":
                guest.Session.Connection.SendPacket(new Said("direct 1"));
                guest.Session.Connection.SendPacket(new Said("direct 2"));
                break;
            case "block":
                Gates[Name].Wait();
                break;
            case "forget":
                _hasNoState = true;
                break;
            case "warn and kick":
                SendPacket(guest.Session, new Said("a warning"));
                guest.Session.Connection.Close(CloseReason.RateLimited);
                break;
            case "kick":
                guest.Session.Connection.Close(CloseReason.RateLimited);
                break;
            case "grow":
                _stateBytes = 2 << 20;
                break;
            case "others":
                BroadcastPacket(new Said("to others"), except: guest.Session);
                break;
            case "large":
                Assert.Throws<ArgumentException>(() => BroadcastPacket(new Said(new string('x', 40_000))));
                break;
            case "nodes":
                return new Told(string.Join(' ', FindNodes([.. Members.Select(static member => member.Session)])
                    .Select(static node => $"{node.Name}:{node.Rooms}:{node.Sessions}")));
            case "hand over":
                Transfer([.. Members.Select(static member => member.Session)], Encoding.UTF8.GetBytes(guest.Name), "node3");
                return new Told($"{_tag} {guest.Score} {Members.Count} {Info.Name}");
            case "hand over too much":
                Assert.Throws<ArgumentException>(() => Transfer([guest.Session], new byte[40_000]));
                break;
            case "remove":
                Remove();
                break;
        }

        return new Told($"{_tag} {guest.Score} {Members.Count} {Info.Name}");
    }

    protected override void OnCreate() => StartTick(20);

    protected override void OnTick(in RoomTick tick) => Ticks.AddOrUpdate(_tag, 1, static (_, before) => before + 1);

    protected override JoinDecision<Guest> OnJoining(Session session, Enter join) => join.Name == "nobody"
        ? Refuse("Nobody may not enter.")
        : new Guest(session, join.Name, _restored.GetValueOrDefault(session.Id));

    protected override void OnJoined(Guest guest)
    {
        SendPacket(guest.Session, new Said($"welcome {guest.Name} {guest.Session.User?.Name}"));
        BroadcastPacket(new Said($"{guest.Name} is here"), except: guest.Session);
    }

    protected override void OnAway(Guest guest) => BroadcastPacket(new Said($"{guest.Name} is away"));

    protected override void OnReturn(Guest guest) => SendPacket(guest.Session, new Said($"back #{_count} recovered {guest.IsRecovered}"));

    protected override void OnLeave(Guest guest, LeaveReason reason) => BroadcastPacket(new Said($"{guest.Name} left {reason}"));

    protected override void OnTransferred(IReadOnlyList<Session> sessions, ReadOnlySpan<byte> state)
    {
        if (sessions.Count == 0)
        {
            Placed.AddOrUpdate(Name, 1, static (_, before) => before + 1);
        }

        foreach (Session session in sessions)
        {
            session.Connection.SendPacket(new Said($"{Encoding.UTF8.GetString(state)} has handed over {sessions.Count}"));
        }
    }

    protected override void OnSnapshot(IBufferWriter<byte> state)
    {
        string scores = string.Concat(Members.Select(static guest => $" {guest.Session.Id}={guest.Score}"));
        Published[Name] = _hasNoState ? -1 : _count;
        if (_hasNoState)
        {
            return;
        }

        state.Write(Encoding.UTF8.GetBytes($"{_count}{scores}".PadRight(_stateBytes)));
    }

    protected override void OnRestore(ReadOnlySpan<byte> state)
    {
        string[] parts = Encoding.UTF8.GetString(state).Split(' ', StringSplitOptions.RemoveEmptyEntries);
        _count = int.Parse(parts[0], System.Globalization.CultureInfo.InvariantCulture);
        foreach (string[] score in parts[1..].Select(static part => part.Split('=')))
        {
            _restored[long.Parse(score[0], System.Globalization.CultureInfo.InvariantCulture)] =
                int.Parse(score[1], System.Globalization.CultureInfo.InvariantCulture);
        }
    }
}
