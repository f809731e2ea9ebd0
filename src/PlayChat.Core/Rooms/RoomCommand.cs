namespace PlayChat.Core.Rooms;

/// <summary>A job with which the server itself changes a room; also the argument of that job.</summary>
internal sealed class RoomCommand : IRoomInput
{
    private readonly Action<Room> _run;

    private RoomCommand(byte number, Action<Room> run) => (Number, _run) = (number, run);

    /// <summary>Ends the room, because its server stops.</summary>
    internal static RoomCommand Remove { get; } = new(1, static room => ((IRoomHooks)room).Remove());

    /// <summary>Looks whether the room is empty, because a session gave up its wait for a join.</summary>
    internal static RoomCommand RemoveIfEmpty { get; } = new(2, static room => room.RemoveIfEmpty());

    /// <summary>Tells the commands apart in a recording: never changed.</summary>
    internal byte Number { get; }

    internal static Action<Room, RoomCommand> Job { get; } = static (room, command) => command._run(room);

    public void Describe(RoomTape tape) => tape.Command(this);

    internal static RoomCommand? Find(long number) =>
        number == Remove.Number ? Remove : number == RemoveIfEmpty.Number ? RemoveIfEmpty : null;
}
