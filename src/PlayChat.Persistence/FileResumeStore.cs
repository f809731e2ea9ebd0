using System.Text.Json;
using System.Text.Json.Serialization;

namespace PlayChat.Persistence;

/// <summary>Keeps resume tokens in a folder, a file for each user, for servers without a database. Thread-safe.</summary>
/// <remarks>It keeps hashes, no tokens, and of a user the id and the name: derive no class from <see cref="SessionUser"/> with it. What it
/// was given survives the process, but not a loss of power in the seconds after; a file that such a loss has damaged counts as missing. Its
/// calls throw <see cref="InvalidDataException"/> if a newer version has written to the folder.</remarks>
public sealed partial class FileResumeStore : IResumeStore
{
    private const int Version = 1; // of the files

    private readonly object _gate = new();
    private readonly string _folder;
    private readonly TimeProvider _time;
    private readonly Dictionary<string, ResumeRecord> _byHash = new(StringComparer.Ordinal); // by both hashes
    private Dictionary<long, ResumeRecord>? _byUser; // read at the first use

    /// <param name="folder">The folder; it is made if it is missing.</param>
    /// <param name="time">The server's clock, for the removal of records that have expired. Default
    /// <see cref="TimeProvider.System"/>.</param>
    public FileResumeStore(string folder, TimeProvider? time = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        _folder = Path.GetFullPath(folder);
        _time = time ?? TimeProvider.System;
    }

    /// <inheritdoc/>
    public ValueTask SaveAsync(ResumeRecord record, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(record);
        lock (_gate)
        {
            Load();
            Set(record);
            string file = FileOf(record.User.Id);
            var saved = new SavedTokens(Version, record);
            File.WriteAllBytes(file + ".new", JsonSerializer.SerializeToUtf8Bytes(saved, FileJson.Default.SavedTokens));
            File.Move(file + ".new", file, overwrite: true);
        }

        return default;
    }

    /// <inheritdoc/>
    public ValueTask<ResumeRecord?> FindAsync(string tokenHash, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            Load();
            return new(_byHash.GetValueOrDefault(tokenHash));
        }
    }

    /// <inheritdoc/>
    public ValueTask RemoveAsync(string tokenHash, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            Load();
            if (_byHash.GetValueOrDefault(tokenHash) is { } record && record.TokenHash == tokenHash)
            {
                Forget(record.User.Id);
                File.Delete(FileOf(record.User.Id));
            }
        }

        return default;
    }

    private void Set(ResumeRecord record)
    {
        Forget(record.User.Id);
        _byUser![record.User.Id] = record;
        _byHash[record.TokenHash] = record;
        if (record.UsedTokenHash is { } used)
        {
            _byHash[used] = record;
        }
    }

    private void Forget(long userId)
    {
        if (_byUser!.Remove(userId, out ResumeRecord? former))
        {
            _byHash.Remove(former.TokenHash);
            _byHash.Remove(former.UsedTokenHash ?? "");
        }
    }

    private void Load()
    {
        if (_byUser is null)
        {
            Directory.CreateDirectory(_folder);
            ResumeRecord[] records = [.. Directory.EnumerateFiles(_folder, "*.json").Select(Read).OfType<ResumeRecord>()];
            _byUser = [];
            foreach (ResumeRecord record in records)
            {
                if (record.ExpiresAt > _time.GetUtcNow())
                {
                    Set(record);
                }
                else
                {
                    File.Delete(FileOf(record.User.Id));
                }
            }
        }
    }

    /// <returns><see langword="null"/> if the file is damaged. It stays until the user has a new token.</returns>
    private static ResumeRecord? Read(string file)
    {
        SavedTokens? saved;
        try
        {
            saved = JsonSerializer.Deserialize(File.ReadAllBytes(file), FileJson.Default.SavedTokens);
        }
        catch (JsonException)
        {
            return null; // a loss of power leaves an empty file, or one of zeros; it must not cost the other users their tokens
        }

        return saved is null || saved.Version <= Version
            ? saved?.Record
            : throw new InvalidDataException(
                $"The resume tokens in '{file}' are of a newer version (format {saved.Version}; this one reads {Version}). Start that "
                    + "version, or remove the folder: the players then log in again.");
    }

    private string FileOf(long userId) => Path.Combine(_folder, $"{userId}.json");

    private sealed record SavedTokens(int Version, ResumeRecord Record);

    [JsonSerializable(typeof(SavedTokens))]
    private sealed partial class FileJson : JsonSerializerContext;
}
