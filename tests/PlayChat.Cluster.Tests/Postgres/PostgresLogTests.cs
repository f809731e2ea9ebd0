using PlayChat.Cluster.Tests.Rooms;
using PlayChat.Cluster.Tests.Sessions;

namespace PlayChat.Cluster.Tests.Postgres;

/// <summary>The log in PostgreSQL, and over it and its directory one suite for the rooms of nodes.</summary>
public static class PostgresLogTests
{
    [Trait("Tier", "Full")]
    public sealed class Backplane() : RoomBackplaneContract(PostgresLogSpace.CreateAsync);

    [Trait("Tier", "Full")]
    public sealed class Broadcasts() : SessionBroadcastContract(PostgresLogSpace.CreateAsync);

    [Trait("Tier", "Full")]
    public sealed class Takeovers() : TakeoverContract(PostgresLogSpace.CreateAsync);
}
