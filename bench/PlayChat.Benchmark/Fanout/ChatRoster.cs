namespace PlayChat.Benchmark.Fanout;

/// <summary>The room of each client: client k is in room k mod rooms. Written while the clients log in, read-only afterwards.</summary>
internal sealed class ChatRoster(int clients, int rooms)
{
    public readonly long[] PlayerIds = new long[clients];
    public readonly long[] RoomIds = new long[rooms];

    public int Clients => clients;

    public int Rooms => rooms;

    public int LargestRoom => ((Clients - 1) / Rooms) + 1;

    /// <summary>The index of a client's room, from 0.</summary>
    public int RoomOf(int client) => client % Rooms;

    /// <summary>A client's place among its room's members, from 0.</summary>
    public int PlaceOf(int client) => client / Rooms;

    public int MembersOf(int room) => ((Clients - 1 - room) / Rooms) + 1;
}
