namespace PlayChat.Benchmark.Fanout;

/// <summary>The room of each client: client k is in room k mod rooms. Written while the clients log in, read-only afterwards.</summary>
internal sealed class ChatRoster(int clients, int rooms)
{
    private readonly long[] _playerIds = new long[clients];
    private readonly long[] _roomIds = new long[rooms];

    public int Clients => _playerIds.Length;

    public int Rooms => _roomIds.Length;

    public int LargestRoom => ((Clients - 1) / Rooms) + 1;

    /// <summary>The index of a client's room, from 0.</summary>
    public int RoomOf(int client) => client % Rooms;

    /// <summary>A client's place among its room's members, from 0.</summary>
    public int PlaceOf(int client) => client / Rooms;

    public int MembersOf(int room) => ((Clients - 1 - room) / Rooms) + 1;

    public long GetPlayerId(int client) => _playerIds[client];

    public void SetPlayerId(int client, long playerId) => _playerIds[client] = playerId;

    public long GetRoomId(int room) => _roomIds[room];

    public void SetRoomId(int room, long roomId) => _roomIds[room] = roomId;
}
