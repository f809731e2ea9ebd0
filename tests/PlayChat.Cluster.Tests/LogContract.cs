namespace PlayChat.Cluster.Tests;

/// <summary>A suite of tests that runs over the log of each engine, each test in a space of its own.</summary>
/// <param name="createSpace">Makes the space, or skips the test with a reason.</param>
public abstract class LogContract(Func<Task<BackplaneSpace>> createSpace) : IAsyncLifetime
{
    private BackplaneSpace? _space;

    protected BackplaneSpace Space => _space!;

    protected static CancellationToken Stop => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync() => _space = await createSpace();

    public virtual async ValueTask DisposeAsync()
    {
        if (_space is not null)
        {
            await _space.DisposeAsync();
        }

        GC.SuppressFinalize(this);
    }
}
