using PlayChat.Core.Packets;

namespace PlayChat.Simulation;

/// <summary>A client that speaks <see cref="WirePacket"/>s: its connection, its token, and the ways in which it leaves.</summary>
/// <param name="world">Its world.</param>
/// <param name="user">The id of its user, from 1.</param>
/// <param name="dice">Decides what it does next.</param>
/// <param name="rooms">Takes the rooms that it is in, by id. The order of its values is a part of what a seed means.</param>
internal abstract class WireClient<TWorld, TRoom>(TWorld world, int user, Dice dice, IDictionary<long, TRoom> rooms)
    where TWorld : SimulatedWorld
    where TRoom : ClientRoom
{
    private const ushort HeartbeatId = ushort.MaxValue;

    private readonly List<byte> _received = [];
    private long _frames; // received on the present connection, heartbeats not counted
    private long? _formerFrames; // those of the former connection, if its session can be resumed
    private TimeSpan _heardAt;
    private bool _wantsOut;

    /// <summary>Whether it is logged in on a connection that it believes in.</summary>
    internal bool IsOnline { get; private set; }

    internal string Name => $"client {user}";

    internal IDictionary<long, TRoom> Rooms => rooms;

    private protected TWorld World => world;

    private protected int User => user;

    private protected Dice Dice => dice;

    /// <summary>Whether it does nothing unless it is told to.</summary>
    private protected bool IsCalm { get; private set; }

    private protected SimulatedLink? Link { get; private set; }

    private protected byte[] Token { get; set; } = [];

    /// <summary>Changes with each connection, so that timers of an old one do nothing.</summary>
    private protected int Life { get; private set; }

    /// <summary>Whether it has read all of the former connection, up to the end that the server sent.</summary>
    private protected bool HasReadAll { get; private set; }

    /// <summary>How long it waits until it is logged in.</summary>
    private protected abstract TimeSpan AnswerTimeout { get; }

    /// <summary>How long it stays with a server that is silent.</summary>
    private protected virtual TimeSpan SilenceTimeout => TimeSpan.MaxValue;

    /// <summary>Its name in the trace of what it sends.</summary>
    private protected virtual string Sender => Name;

    /// <summary>Connects soon.</summary>
    internal void Start(TimeSpan delay)
    {
        Life++;
        After(delay, Connect);
    }

    /// <summary>Says something in every room that it is in, and joins one if it is in none.</summary>
    internal void SayEverywhere()
    {
        if (rooms.Count == 0)
        {
            Join();
        }

        foreach (TRoom room in rooms.Values)
        {
            Say(room);
        }
    }

    /// <summary>Does nothing from now on unless it is told to, and reads again.</summary>
    internal void CalmDown()
    {
        IsCalm = true;
        if (Link is not null)
        {
            Link.ClientReads = true;
        }
    }

    /// <summary>Ends for good: logs out, or disappears in one of the ways in which clients do.</summary>
    internal void EndForGood()
    {
        _wantsOut = true;
        if (IsOnline && Link is { } link)
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

    /// <summary>Opens a link to a server.</summary>
    /// <returns><see langword="null"/> if none listens.</returns>
    private protected abstract SimulatedLink? Open();

    private protected abstract void ActOnce();

    private protected abstract void Join();

    private protected abstract void Say(TRoom room);

    /// <summary>Handles a packet that is not about the session.</summary>
    /// <returns>Whether the packet is known.</returns>
    private protected abstract bool OnPacket(ushort id, Wire message);

    /// <summary>It has its session back, and returns to its rooms.</summary>
    private protected abstract void OnResumed();

    private protected virtual void OnLoggedIn()
    {
    }

    /// <summary>It has asked for its session.</summary>
    private protected virtual void OnResuming()
    {
    }

    /// <summary>Its server does not listen, does not answer or is silent.</summary>
    private protected virtual void OnNoAnswer()
    {
    }

    /// <summary>Gives the connection up.</summary>
    private protected virtual void Lose()
    {
        if (IsOnline)
        {
            _formerFrames = _frames;
        }

        IsOnline = false;
        Life++;
        if (Link is { IsLeft: false } link)
        {
            link.ClientVanish();
        }

        Link = null;
    }

    /// <summary>Breaks the link in a way that is counted, and connects again.</summary>
    private protected void Break(string what, Action<SimulatedLink> way)
    {
        world.Count(what);
        way(Link!);
        Retry();
    }

    /// <summary>The link is of no use any more: connect again.</summary>
    private protected void Retry()
    {
        Lose();
        if (!_wantsOut)
        {
            Start(dice.Between(0, 8));
        }
    }

    /// <summary>Does something later, if it has no other connection by then and does not want to end.</summary>
    private protected void After(TimeSpan delay, Action action)
    {
        int life = Life;
        world.Clock.After(delay, () =>
        {
            if (life == Life && !_wantsOut)
            {
                action();
            }
        });
    }

    private protected void Leave(TRoom room) => room.IsLeaving |= Send(WirePacket.Leave, new Wire(room.Id, 0, 0, default));

    private protected void ReadLater()
    {
        world.Count("readers that pause");
        SimulatedLink link = Link!;
        link.ClientReads = false;
        world.Clock.After(dice.Between(0.1, 30), () =>
        {
            _heardAt = world.Clock.Elapsed;
            link.ClientReads = true;
        });
    }

    private protected bool Send(PacketType<Wire> type, Wire message, bool isForced = false)
    {
        byte[] frame = Frames.Encode(type, message);
        if (Link?.ClientSend(frame, isForced) != true)
        {
            return false;
        }

        world.Note($"{Sender}: {type.Name} {message.RoomId} {message.A}");
        return true;
    }

    private protected void Require(bool holds, string rule, string details) => world.Judge.Require(holds, rule, details);

    private void Connect()
    {
        if (Open() is not { } link)
        {
            OnNoAnswer();
            Start(dice.Between(0.5, 2));
            return;
        }

        Link = link;
        _received.Clear();
        _frames = 0;
        _heardAt = world.Clock.Elapsed;
        HasReadAll = false;
        int life = Life;
        link.Received = bytes => OnBytes(bytes.Span);
        link.Ended = isReset => OnEnded(life, isReset);
        if (Token.Length > 0)
        {
            world.Count("resumes tried");
            long? claimed = _formerFrames + (world.Variant == Variant.WrongCount ? 1 : 0);
            Send(WirePacket.Resume, new Wire(claimed ?? -1, user, 0, Token));
            OnResuming();
        }
        else
        {
            rooms.Clear();
            Send(WirePacket.Login, new Wire(0, user, 0, default));
        }

        world.Clock.After(AnswerTimeout, () =>
        {
            if (life == Life && !IsOnline)
            {
                world.Count("clients that gave up waiting");
                OnNoAnswer();
                link.ClientReset();
                Lose();
                Start(dice.Between(0.1, 1));
            }
        });
    }

    private void Act()
    {
        int life = Life;
        TimeSpan wait = dice.Between(0, 2 * world.Pace.TotalSeconds);
        if (world.Plan.Beat is { Ticks: > 0 and var beat })
        {
            wait += TimeSpan.FromTicks(beat - ((world.Clock.Elapsed + wait).Ticks % beat));
        }

        world.Clock.After(wait, () =>
        {
            if (life == Life && IsOnline)
            {
                if (world.Clock.Elapsed - _heardAt > SilenceTimeout && Link!.ClientReads)
                {
                    world.Count("nodes that were silent");
                    OnNoAnswer();
                    Link.ClientReset();
                    Retry();
                }
                else if (!IsCalm)
                {
                    ActOnce();
                }

                if (life == Life && IsOnline)
                {
                    Act();
                }
            }
        });
    }

    private void OnEnded(int life, bool isReset)
    {
        if (life != Life)
        {
            return;
        }

        world.Note($"{Name}: the link has ended{(isReset ? " by a reset" : "")}");
        HasReadAll = !isReset;
        if (!isReset)
        {
            Link!.ClientClose();
        }

        Retry();
    }

    private void OnBytes(ReadOnlySpan<byte> bytes)
    {
        int life = Life;
        _heardAt = world.Clock.Elapsed;
        _received.AddRange(bytes);
        while (life == Life && Frames.TryTake(_received, out ushort id, out ushort request, out byte[] body))
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
                Link?.ClientSend([0, 0, 0, 4, 0xFF, 0xFF, 0, 0]);
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
        Require(IsOnline || id is 101 or 102, "resume comes first", $"{Name} got packet {id} before the answer to its resume");
        switch (id)
        {
            case 101:
                Token = message.Bytes.ToArray();
                IsOnline = true;
                world.Count("logins");
                Act();
                OnLoggedIn();
                break;
            case 102 when message.A == 0:
                world.Count("resumes refused");
                Require(world.MayRefuse(Token), "a token resumes", $"{Name} shows its newest token, and its session lives");
                EndSession();
                break;
            case 102:
                world.Count("resumes");
                Token = message.Bytes.ToArray();
                Send(WirePacket.Confirm, new Wire(0, 0, 0, default));
                OnResumed();
                IsOnline = true;
                Act();
                break;
            case 107:
                EndSession();
                break;
            default:
                Require(OnPacket(id, message), "whole frames", $"{Name} got the unknown packet {id}");
                break;
        }
    }

    /// <summary>Its session has ended: connect again, and log in.</summary>
    private void EndSession()
    {
        Token = [];
        _formerFrames = null;
        Link!.ClientClose();
        Retry();
    }
}
