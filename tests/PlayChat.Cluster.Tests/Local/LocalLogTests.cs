using PlayChat.Cluster.Tests.Rooms;
using PlayChat.Cluster.Tests.Sessions;

namespace PlayChat.Cluster.Tests.Local;

/// <summary>All suites over the log of one process.</summary>
public static class LocalLogTests
{
    public sealed class Backplane() : RoomBackplaneContract(LocalSpace.CreateAsync);

    public sealed class Broadcasts() : SessionBroadcastContract(LocalSpace.CreateAsync);

    public sealed class Deliveries() : DeliveryContract(LocalSpace.CreateAsync);

    public sealed class Ends() : RoomEndContract(LocalSpace.CreateAsync);

    public sealed class Gaps() : GapContract(LocalSpace.CreateAsync);

    public sealed class Members() : MemberContract(LocalSpace.CreateAsync);

    public sealed class Takeovers() : TakeoverContract(LocalSpace.CreateAsync);
}
