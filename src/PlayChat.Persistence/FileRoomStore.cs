using System.Globalization;

namespace PlayChat.Persistence;

/// <summary>Keeps rooms in a folder, a file for each. Thread-safe.</summary>
/// <remarks>A file is replaced as a whole, and is on the disk before the save completes. A file that does not tell its room any more is
/// renamed at the start, and then ends in <c>.damaged-</c> and the time. One server uses a folder at a time; a second one fails at its
/// start.</remarks>
public sealed class FileRoomStore : IRoomStore, IDisposable
{
    private const string Extension = ".room";

    private readonly string _folder;
    private FileStream? _lock;

    /// <param name="folder">The folder; it is made if it is missing.</param>
    public FileRoomStore(string folder)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        _folder = Path.GetFullPath(folder);
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The system refuses the folder, or another server uses it.</exception>
    public async Task<IReadOnlyList<SavedRoom>> LoadAsync(CancellationToken cancellationToken)
    {
        Directory.CreateDirectory(_folder);
        TakeFolder();
        List<SavedRoom> rooms = [];
        foreach (string file in Directory.GetFiles(_folder, "*" + Extension))
        {
            rooms.Add(
                Read(await File.ReadAllBytesAsync(file, cancellationToken).ConfigureAwait(false)) is { } room && FileOf(room.Name) == file
                    ? room
                    : new SavedRoom(PutAside(file), default)); // damaged; the server says so
        }

        return rooms;
    }

    /// <inheritdoc/>
    public async Task SaveAsync(SavedRoom room, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(room);
        string file = FileOf(room.Name);
        string written = file + ".new";
        byte[] name = Encoding.UTF8.GetBytes(room.Name);
        var stream = new FileStream(written, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0, useAsync: true);
        await using (stream.ConfigureAwait(false))
        {
            await stream.WriteAsync(BitConverter.GetBytes(name.Length), cancellationToken).ConfigureAwait(false);
            await stream.WriteAsync(name, cancellationToken).ConfigureAwait(false);
            await stream.WriteAsync(room.Data, cancellationToken).ConfigureAwait(false);
            stream.Flush(flushToDisk: true);
        }

        File.Move(written, file, overwrite: true);
    }

    /// <inheritdoc/>
    public Task RemoveAsync(string name, CancellationToken cancellationToken)
    {
        File.Delete(FileOf(name));
        return Task.CompletedTask;
    }

    /// <summary>Gives the folder back to another server.</summary>
    public void Dispose() => _lock?.Dispose();

    /// <returns><see langword="null"/> if the file has no whole name.</returns>
    private static SavedRoom? Read(byte[] content)
    {
        int nameBytes = content.Length < sizeof(int) ? -1 : BitConverter.ToInt32(content);
        return nameBytes >= 0 && nameBytes <= content.Length - sizeof(int)
            ? new SavedRoom(Encoding.UTF8.GetString(content, sizeof(int), nameBytes), content.AsMemory(sizeof(int) + nameBytes))
            : null;
    }

    /// <summary>Renames a file that does not tell which room it is, because the room begins anew and would overwrite it.</summary>
    /// <returns>The new name.</returns>
    private static string PutAside(string file)
    {
        string time = TimeProvider.System.GetUtcNow().ToString("yyyyMMdd'T'HHmmssfff'Z'", CultureInfo.InvariantCulture);
        string copy = $"{file}.damaged-{time}";
        File.Move(file, copy);
        return Path.GetFileName(copy);
    }

    private void TakeFolder()
    {
        try
        {
            _lock ??= new FileStream(Path.Combine(_folder, "lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException e)
        {
            throw new IOException(
                $"Another server keeps its rooms in {_folder}. Give each server a folder of its own, or stop that one.", e);
        }
    }

    /// <summary>The beginning of the name, for people, and a hash that tells names apart that the file system would not.</summary>
    private string FileOf(string name)
    {
        string readable = string.Concat(name.Take(40).Select(static c => char.IsAsciiLetterOrDigit(c) ? c : '-'));
        return Path.Combine(_folder, $"{readable}.{Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(name)), 0, 8)}{Extension}");
    }
}
