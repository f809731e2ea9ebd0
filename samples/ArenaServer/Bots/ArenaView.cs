using ArenaServer.Protocol;

namespace ArenaServer.Bots;

/// <summary>What one client knows of the arena. Thread-safe: the receive loop writes, others read.</summary>
internal sealed class ArenaView
{
    private readonly object _gate = new();
    private readonly Dictionary<long, PlayerState> _players = []; // guarded by _gate, as is the rest
    private readonly Queue<string> _news = new(); // not taken yet
    private int _width = 1;
    private int _height = 1;
    private Cell _coin;
    private long _positions;

    /// <summary>What it knows now.</summary>
    public ArenaSnapshot Snapshot
    {
        get
        {
            lock (_gate)
            {
                return new ArenaSnapshot(_width, _height, [.. _players.Values.OrderBy(static player => player.Id)], _coin, _positions);
            }
        }
    }

    public PlayerState? Find(long playerId)
    {
        lock (_gate)
        {
            return _players.GetValueOrDefault(playerId);
        }
    }

    public Cell Coin
    {
        get
        {
            lock (_gate)
            {
                return _coin;
            }
        }
    }

    public void Apply(ArenaState state)
    {
        lock (_gate)
        {
            (_width, _height, _coin) = (state.Width, state.Height, state.Coin);
            _players.Clear();
            foreach (PlayerState player in state.Players)
            {
                _players[player.Id] = player;
            }
        }
    }

    public void Apply(ArenaEvent happened)
    {
        PlayerState player = happened.Player;
        lock (_gate)
        {
            _coin = happened.Coin;
            if (happened.Kind == ArenaEventKind.Left)
            {
                _players.Remove(player.Id);
            }
            else
            {
                _players[player.Id] = player;
            }

            _news.Enqueue(happened.Kind switch
            {
                ArenaEventKind.Joined => $"{player.Name} has come",
                ArenaEventKind.Away => $"{player.Name}'s connection has broken",
                ArenaEventKind.Returned => $"{player.Name} is back in its seat",
                ArenaEventKind.Left => $"{player.Name} has left",
                ArenaEventKind.Scored => $"{player.Name} has taken the coin: {player.Score}",
                _ => $"{player.Name}: {happened.Kind}",
            });
        }
    }

    public void Apply(Position position)
    {
        lock (_gate)
        {
            _positions++;
            if (_players.TryGetValue(position.PlayerId, out PlayerState? player)) // or it has left: see Position
            {
                _players[position.PlayerId] = player with { X = position.X, Y = position.Y };
            }
        }
    }

    /// <summary>Adds something that the server has not said.</summary>
    public void Tell(string news)
    {
        lock (_gate)
        {
            _news.Enqueue(news);
        }
    }

    /// <summary>What has happened since the last call, each in a sentence.</summary>
    public IReadOnlyList<string> TakeNews()
    {
        lock (_gate)
        {
            string[] news = [.. _news];
            _news.Clear();
            return news;
        }
    }
}
