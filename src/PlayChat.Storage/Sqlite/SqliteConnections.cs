using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Data.Sqlite;

namespace PlayChat.Storage.Sqlite;

/// <summary>Hands out connections: one to a writer at a time, a bounded number to readers. Keeps them open in between.</summary>
/// <remarks>
/// SQLite allows one writer; queueing for it here, in order and without a thread, replaces its own polling, which
/// is unfair and blocks. The driver's async methods are synchronous, so the work runs on the thread pool: a slow disk
/// then never holds a receive loop.
/// The driver's own pool is one for all stores of a file: what it takes back while another store is disposed may stay open.
/// </remarks>
internal sealed class SqliteConnections : IAsyncDisposable
{
    private readonly SqliteStoreOptions _options;
    private readonly StorageMetrics _metrics;
    private readonly string _configure;
    private readonly SemaphoreSlim _writer = new(1, 1);
    private readonly SemaphoreSlim _readers;
    private readonly ConcurrentBag<SqliteConnection> _idle = []; // open and configured
    private int _disposed;

    public SqliteConnections(SqliteStoreOptions options, StorageMetrics metrics)
    {
        _options = options;
        _metrics = metrics;
        Path = System.IO.Path.GetFullPath(options.Path);
        _configure = SqliteSql.ConfigureConnection(options.BusyTimeout, options.FlushesCommits);
        _readers = new SemaphoreSlim(options.MaxReaders, options.MaxReaders);
    }

    public string Path { get; }

    public Task<T> WriteAsync<T>(Func<SqliteConnection, Task<T>> work, CancellationToken cancellationToken) =>
        RunAsync(_writer, work, cancellationToken);

    public Task<T> ReadAsync<T>(Func<SqliteConnection, Task<T>> work, CancellationToken cancellationToken) =>
        RunAsync(_readers, work, cancellationToken);

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            return;
        }
        // When this method holds every permit, no call holds a connection. Each call ends within its own timeouts.
        await _writer.WaitAsync().ConfigureAwait(false);
        for (int i = 0; i < _options.MaxReaders; i++)
        {
            await _readers.WaitAsync().ConfigureAwait(false);
        }
        // Given back, so that calls queued behind these see that the store is disposed.
        _writer.Release();
        _readers.Release(_options.MaxReaders);
        // Closing the last connection moves the write-ahead log into the file and removes it.
        CloseIdle();
    }

    /// <summary>Makes the file's folder when it is missing.</summary>
    /// <exception cref="StorageException">Opening it failed.</exception>
    public void CreateFolder()
    {
        string? folder = System.IO.Path.GetDirectoryName(Path);
        if (string.IsNullOrEmpty(folder))
        {
            return;
        }
        try
        {
            PrivateFolder.Create(folder);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw SqliteErrors.NotWritable(Path, exception);
        }
    }

    private async Task<T> RunAsync<T>(SemaphoreSlim gate, Func<SqliteConnection, Task<T>> work, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0, typeof(SqliteChatStore));
        long started = Stopwatch.GetTimestamp();
        if (!await gate.WaitAsync(_options.AcquireTimeout, cancellationToken).ConfigureAwait(false))
        {
            _metrics.RecordTimeout();
            throw SqliteErrors.AcquireTimeout(Path, _options.AcquireTimeout);
        }
        try
        {
            ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0, typeof(SqliteChatStore));
            return await Task.Run(() => RunAsync(work, started), CancellationToken.None).ConfigureAwait(false);
        }
        finally
        {
            gate.Release();
        }
    }

    private async Task<T> RunAsync<T>(Func<SqliteConnection, Task<T>> work, long started)
    {
        SqliteConnection? connection = null;
        bool acquired = false;
        bool keeps = false;
        try
        {
            connection = _idle.TryTake(out SqliteConnection? idle) ? idle : Open();
            _metrics.RecordAcquired(Stopwatch.GetTimestamp() - started);
            acquired = true;
            T result = await work(connection).ConfigureAwait(false);
            keeps = true;
            return result;
        }
        catch (SqliteException exception)
        {
            keeps = SqliteErrors.KeepsConnection(exception);
            if (!keeps)
            {
                // After an I/O error no handle may ever recover; the next calls open fresh ones.
                CloseIdle();
            }

            throw SqliteErrors.Translate(exception, Path);
        }
        finally
        {
            if (acquired)
            {
                _metrics.RecordReleased();
            }

            if (connection is not null && keeps)
            {
                _idle.Add(connection);
            }
            else
            {
                connection?.Dispose();
            }
        }
    }

    private SqliteConnection Open()
    {
        SqliteConnection connection = SqliteFile.Connect(Path);
        try
        {
            connection.Open();
            connection.Execute(_configure);
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    private void CloseIdle()
    {
        while (_idle.TryTake(out SqliteConnection? connection))
        {
            connection.Dispose();
        }
    }
}
