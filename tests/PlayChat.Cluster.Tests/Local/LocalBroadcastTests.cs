using PlayChat.Cluster.Tests.Sessions;

namespace PlayChat.Cluster.Tests.Local;

public sealed class LocalBroadcastTests : SessionBroadcastContract
{
    protected override Task<BackplaneSpace> CreateAsync() => Task.FromResult<BackplaneSpace>(new LocalSpace());
}
