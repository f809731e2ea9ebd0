using PlayChat.State;

namespace Territory;

/// <summary>What every client sees. The room changes it, and PlayChat.State tells the clients.</summary>
[SyncState]
internal sealed partial class World
{
    [Sync(1)]
    private int _width = 32;

    [Sync(2)]
    private int _height = 20;

    [Sync(3)]
    private readonly SyncMap<long, Player> _players = new(); // by session id

    [Sync(4)]
    private readonly SyncMap<int, byte> _cells = new(); // row * width + column: the team that has painted it

    [Sync(5)]
    private int _red;

    [Sync(6)]
    private int _blue;

    [Sync(7)]
    private int _secondsLeft;

    [Sync(8)]
    private Round? _lastRound;

    [Sync(9)]
    private readonly SyncList<Best> _best = new(); // the best players of all rooms, the first first
}

/// <summary>A player: its seat, also while it is away.</summary>
[SyncState]
internal sealed partial class Player
{
    [Sync(1)]
    private string _name = "";

    [Sync(2)]
    private byte _team;

    [Sync(3, Decimals = 2)]
    private float _x;

    [Sync(4, Decimals = 2)]
    private float _y;

    [Sync(5)]
    private bool _isAway;

    /// <summary>Where it goes. Only the server knows.</summary>
    public Steer Steer { get; set; } = new(0, 0);

    /// <summary>How many cells it has painted in this round. Only the server knows.</summary>
    public int Painted { get; set; }
}

/// <summary>How a round has ended. It stays in the state, so a player that was away sees it when it is back.</summary>
[SyncState]
internal sealed partial class Round
{
    [Sync(1)]
    private int _number;

    [Sync(2)]
    private byte _winner;

    [Sync(3)]
    private int _red;

    [Sync(4)]
    private int _blue;
}

/// <summary>A line in the table of the best players.</summary>
[SyncState]
internal sealed partial class Best
{
    [Sync(1)]
    private int _rank;

    [Sync(2)]
    private string _name = "";

    [Sync(3)]
    private int _cells;
}
