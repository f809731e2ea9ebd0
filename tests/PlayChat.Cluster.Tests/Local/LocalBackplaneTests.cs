namespace PlayChat.Cluster.Tests.Local;

public sealed class LocalBackplaneTests : RoomBackplaneContract
{
    protected override Task<BackplaneSpace> CreateAsync() => Task.FromResult<BackplaneSpace>(new LocalSpace());
}
