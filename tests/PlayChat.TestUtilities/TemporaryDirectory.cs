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
    public void Dispose()
    {
        try
        {
            Directory.Delete(Path, recursive: true);
        }
        catch (DirectoryNotFoundException)
        {
            // The test removed it itself.
        }
    }
}
