using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Data.Sqlite;
using PlayChat.Storage.Sql;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.Sql;

public sealed class ServerConnectionsTests : IAsyncLifetime
{
    private readonly StorageMetrics _metrics = new();
    private readonly StubDriver _driver = new();
    private readonly ServerConnections _connections;

    public ServerConnectionsTests()
    {
        SQLitePCL.Batteries_V2.Init();
        _connections = new ServerConnections(_driver, _metrics);
    }

    public ValueTask InitializeAsync() => ValueTask.CompletedTask;

    public ValueTask DisposeAsync() => _connections.DisposeAsync();

    [Fact]
    public async Task A_passing_failure_is_tried_again_on_another_connection()
    {
        List<DbConnection> used = [];

        int result = await _connections.RunAsync(
            connection =>
            {
                used.Add(connection);
                return used.Count < 3 ? throw new TimeoutException("passes") : Task.FromResult(7);
            },
            CancellationToken.None);

        Assert.Equal(7, result);
        Assert.Equal(3, used.Distinct().Count());
        Assert.Equal((3, 2, 0, 1), (_metrics.Acquires, _metrics.Retries, _metrics.InUse, _metrics.PeakInUse));
    }

    [Fact]
    public async Task A_broken_connection_takes_the_idle_ones_with_it_before_the_work_is_done_again()
    {
        // As many as a pool holds; each of them would break the work once.
        int broken = 12;
        _driver.OnClear = () => broken = 0;

        int result = await _connections.RunAsync(
            _ => broken-- > 0 ? throw new IOException("The connection is gone.") : Task.FromResult(7), CancellationToken.None);

        Assert.Equal((7, 1), (result, _metrics.Retries));
    }

    [Fact]
    public async Task A_failure_that_does_not_pass_ends_as_what_the_driver_called_it()
    {
        int tries = 0;

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => _connections.RunAsync<int>(
            _ =>
            {
                tries++;
                throw new TimeoutException("passes, but never");
            },
            CancellationToken.None));

        Assert.Equal(StorageErrorKind.Busy, error.Kind);
        Assert.IsType<TimeoutException>(error.InnerException);
        Assert.Equal((4, 0), (tries, _metrics.InUse));
    }

    [Fact]
    public async Task Other_failures_are_not_tried_again()
    {
        int tries = 0;

        await Assert.ThrowsAsync<StorageException>(() => _connections.RunAsync<int>(
            _ =>
            {
                tries++;
                throw new InvalidOperationException("for good");
            },
            CancellationToken.None));
        await Assert.ThrowsAsync<NotSupportedException>(() =>
            _connections.RunAsync<int>(_ => throw new NotSupportedException(), CancellationToken.None));

        Assert.Equal((1, 0, 0), (tries, _metrics.Retries, _metrics.InUse));
    }

    [Fact]
    public async Task A_pool_without_a_free_connection_is_counted()
    {
        _driver.ConnectionString = "Data Source=/no/such/folder/file.db;Pooling=False";

        StorageException error = await Assert.ThrowsAsync<StorageException>(() =>
            _connections.RunAsync(_ => Task.FromResult(1), CancellationToken.None));

        Assert.Equal(StorageErrorKind.Busy, error.Kind);
        Assert.Equal((1, 0), (_metrics.AcquireTimeouts, _metrics.Acquires));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_cancelled_call_returns_at_once_although_the_driver_still_opens_and_its_connection_is_disposed_afterwards(bool fails)
    {
        var slow = new SlowConnection();
        _driver.Create = () => slow;
        using var cancellation = new CancellationTokenSource();
        Task<int> running = _connections.RunAsync(
            static _ => Task.FromException<int>(new NotSupportedException("There is no connection to work on.")), cancellation.Token);

        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running.WaitAsync(TestTimeouts.Hang));
        Assert.False(slow.WhenDisposed.IsCompleted);
        if (fails)
        {
            slow.Opening.SetException(new TimeoutException("The server did not answer."));
        }
        else
        {
            slow.Opening.SetResult();
        }

        await slow.WhenDisposed.WaitAsync(TestTimeouts.Hang);
        Assert.Equal((0, 0), (_metrics.Acquires, _metrics.InUse));
    }

    [Fact]
    public async Task Disposal_waits_for_the_work_under_way_and_refuses_more()
    {
        var release = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<int> running = _connections.RunAsync(_ => release.Task, CancellationToken.None);

        Task disposing = _connections.DisposeAsync().AsTask();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => _connections.RunAsync(_ => Task.FromResult(1), CancellationToken.None));
        Assert.False(disposing.IsCompleted);
        release.SetResult(5);
        await disposing.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(5, await running);
    }

    /// <summary>An embedded database in a server's place.</summary>
    private sealed class StubDriver : IServerDriver
    {
        public string ConnectionString { get; set; } = "Data Source=:memory:";

        public Func<DbConnection>? Create { get; set; }

        public Action OnClear { get; set; } = static () => { };

        public string Location => "nowhere";

        public DbConnection CreateConnection() => Create?.Invoke() ?? new SqliteConnection(ConnectionString);

        public DbConnection CreateSession() => CreateConnection();

        public void ClearIdle(DbConnection connection) => OnClear();

        public ServerError? Explain(Exception exception, bool isOpening) => exception switch
        {
            IOException => ServerErrors.Unreachable(Location),
            SqliteException when isOpening => ServerErrors.PoolExhausted(Location),
            TimeoutException => ServerErrors.Busy(Location),
            InvalidOperationException => ServerErrors.Failed(Location, exception.Message),
            _ => null,
        };

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }

    /// <summary>A connection that opens when the test says, and misses every cancellation.</summary>
    private sealed class SlowConnection : DbConnection
    {
        private readonly TaskCompletionSource _disposed = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource Opening { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task WhenDisposed => _disposed.Task;

        [AllowNull]
        public override string ConnectionString { get; set; } = "";

        public override string Database => "";

        public override string DataSource => "";

        public override string ServerVersion => "";

        public override ConnectionState State => Opening.Task.IsCompletedSuccessfully ? ConnectionState.Open : ConnectionState.Connecting;

        public override Task OpenAsync(CancellationToken cancellationToken) => Opening.Task;

        public override void Open() => throw new NotSupportedException();

        public override void ChangeDatabase(string databaseName) => throw new NotSupportedException();

        public override void Close()
        {
            // Its disposal is what counts.
        }

        protected override DbTransaction BeginDbTransaction(IsolationLevel isolationLevel) => throw new NotSupportedException();

        protected override DbCommand CreateDbCommand() => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            _disposed.TrySetResult();
            base.Dispose(disposing);
        }
    }
}
