namespace PlayChat.TestUtilities;

/// <summary>A new empty folder, removed with all it holds when disposed.</summary>
public sealed class TemporaryDirectory : IDisposable
{
    /// <summary>Creates the folder below the system's temporary folder.</summary>
    public TemporaryDirectory() => Path = Directory.CreateTempSubdirectory("playchat-").FullName;

    /// <summary>The folder's full path.</summary>
    public string Path { get; }

    /// <summary>The full path of something inside; nothing is created.</summary>
    public string Combine(params string[] parts) => System.IO.Path.Combine([Path, .. parts]);

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">This process still has a file of the folder open, which Windows would not
    /// delete.</exception>
    public void Dispose()
    {
        string[] open = [.. OpenFiles().Where(file => file.StartsWith(Path + '/', StringComparison.Ordinal))];
        try
        {
            Directory.Delete(Path, recursive: true);
        }
        catch (DirectoryNotFoundException)
        {
            // The test removed it itself.
        }

        if (open.Length > 0)
        {
            throw new InvalidOperationException($"Windows would not delete the folder, because these are open: {string.Join(", ", open)}");
        }
    }

    private static IEnumerable<string> OpenFiles()
    {
        const string Descriptors = "/proc/self/fd"; // only Linux has it
        foreach (string descriptor in Directory.Exists(Descriptors) ? Directory.GetFiles(Descriptors) : [])
        {
            string? target = null;
            try
            {
                target = new FileInfo(descriptor).LinkTarget;
            }
            catch (IOException)
            {
                // closed meanwhile by another test
            }

            if (target is not null && !target.EndsWith(" (deleted)", StringComparison.Ordinal))
            {
                yield return target;
            }
        }
    }
}
