namespace PlayChat.Storage.Sqlite;

/// <summary>An exclusive lock of the operating system on a file beside the database. The file stays when the lock is free.</summary>
/// <param name="databasePath">The database file; a symbolic link is followed, so that two names of a database share one lock.</param>
internal sealed class SqliteOwnerLock(string databasePath) : IOwnerLock
{
    private const int LinuxWouldBlock = 11; // EWOULDBLOCK: another process has the lock
    private const int MacWouldBlock = 35;
    private const int WindowsSharingViolation = unchecked((int)0x80070020);

    private FileStream? _file;

    /// <summary>None: the system frees the lock before a process is reported dead.</summary>
    public TimeSpan Wait => TimeSpan.Zero;

    public Task<bool> TryTakeAsync(CancellationToken cancellationToken)
    {
        string database = File.ResolveLinkTarget(databasePath, returnFinalTarget: true)?.FullName ?? databasePath;
        var options = new FileStreamOptions
        {
            Mode = FileMode.OpenOrCreate,
            Access = FileAccess.ReadWrite,
            Share = FileShare.None, // takes the lock
            BufferSize = 0,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        try
        {
            _file = new FileStream($"{database}-owner", options);
            return Task.FromResult(true);
        }
        catch (IOException exception) when (
            exception.HResult is LinuxWouldBlock or MacWouldBlock or WindowsSharingViolation)
        {
            return Task.FromResult(false);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw SqliteErrors.NotWritable(databasePath, exception);
        }
    }

    public Task<bool> IsHeldAsync(CancellationToken cancellationToken) => Task.FromResult(_file is not null);

    public ValueTask DisposeAsync() => _file?.DisposeAsync() ?? ValueTask.CompletedTask;
}
