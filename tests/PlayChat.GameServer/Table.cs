using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.State;

namespace PlayChat.GameServer;

/// <summary>Players move their pieces on a board that each of them follows.</summary>
internal sealed class Table : Room<Player, Sit>
{
    private readonly Board _board = new();

    public Table(RoomContext context)
        : base(context)
    {
        State = new StateSync<Board>(_board, new StateOptions { PacketId = Board.PacketId });
        AddPart(State);
    }

    public StateSync<Board> State { get; }

    [Packet]
    public void OnMove(Player player, Move move)
    {
        _board.Moves++;
        _board.Pieces[player.Name].X = move.X;
        _board.Notes.Add(move.Note);
    }

    [Packet]
    public Looked OnLook(Player player, Look look) => new($"{_board}");

    protected override JoinDecision<Player> OnJoining(Session session, Sit sit) => new Player(session, sit.Name);

    protected override void OnJoined(Player player) => _board.Pieces[player.Name] = new Piece();

    protected override void OnLeave(Player player, LeaveReason reason) => _board.Pieces.Remove(player.Name);

    protected override void OnAway(Player player) => BroadcastPacket(new Gone(player.Name), except: player.Session);

    protected override void OnReturn(Player player) => SendPacket(player.Session, new Back(player.IsRecovered));
}
