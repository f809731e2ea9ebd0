using PlayChat.Cluster.Log;

namespace PlayChat.Cluster.Tests.Local;

internal sealed class LocalSpace(TimeProvider? time = null) : BackplaneSpace
{
    private readonly LocalLog _log = new(Shards);

    public override TimeProvider Time { get; } = time ?? TimeProvider.System;

    public static Task<BackplaneSpace> CreateAsync() => Task.FromResult<BackplaneSpace>(new LocalSpace());

    public override RoomBackplane Open(RecordOrigin origin, BackplaneOptions options) =>
        new LocalBackplane(_log, origin, options, time: Time);

    public override Task<uint> GetEpochAsync() => Task.FromResult(_log.GetEpoch(0));

    public override Task AppendAsync(byte[] batch)
    {
        _log.Append(0, batch);
        return Task.CompletedTask;
    }

    public override Task TrimAsync()
    {
        _log.Trim(0, keep: 0);
        return Task.CompletedTask;
    }

    public override Task ReplaceAsync()
    {
        _log.Replace(0);
        return Task.CompletedTask;
    }

    public override Task SuspendAsync()
    {
        _log.IsAvailable = false;
        return Task.CompletedTask;
    }

    public override Task ResumeAsync()
    {
        _log.IsAvailable = true;
        return Task.CompletedTask;
    }
}
