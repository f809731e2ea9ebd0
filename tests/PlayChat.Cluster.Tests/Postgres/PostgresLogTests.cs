using PlayChat.Cluster.Tests.Rooms;
using PlayChat.Cluster.Tests.Sessions;

namespace PlayChat.Cluster.Tests.Postgres;

/// <summary>All suites over the log in PostgreSQL.</summary>
public static class PostgresLogTests
{
    [Trait("Tier", "Full")]
    public sealed class Backplane() : RoomBackplaneContract(PostgresLogSpace.CreateAsync);

    [Trait("Tier", "Full")]
    public sealed class Broadcasts() : SessionBroadcastContract(PostgresLogSpace.CreateAsync);

    [Trait("Tier", "Full")]
    public sealed class Deliveries() : DeliveryContract(PostgresLogSpace.CreateAsync);

    [Trait("Tier", "Full")]
    public sealed class Ends() : RoomEndContract(PostgresLogSpace.CreateAsync);

    [Trait("Tier", "Full")]
    public sealed class Gaps() : GapContract(PostgresLogSpace.CreateAsync);

    [Trait("Tier", "Full")]
    public sealed class Members() : MemberContract(PostgresLogSpace.CreateAsync);

    [Trait("Tier", "Full")]
    public sealed class Takeovers() : TakeoverContract(PostgresLogSpace.CreateAsync);
}
