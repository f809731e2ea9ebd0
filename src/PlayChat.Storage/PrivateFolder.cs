namespace PlayChat.Storage;

/// <summary>Folders for what is not everybody's: password hashes and conversations.</summary>
public static class PrivateFolder
{
    /// <summary>Makes a folder that this account alone can enter (mode 0700; on Windows with the rights of the folder it is in). One that
    /// exists is left as it is.</summary>
    /// <param name="path">The folder; what is missing above it is made as well.</param>
    /// <exception cref="IOException">Creating it failed.</exception>
    /// <exception cref="UnauthorizedAccessException">This account may not make it.</exception>
    public static void Create(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
        }
        else
        {
            Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }

    /// <summary>Makes an empty SQLite file that this account alone can read (mode 0600), unless there is one. SQLite gives its
    /// write-ahead log the same mode.</summary>
    internal static void CreateFile(string path)
    {
        // Not for a file that exists: closing it here would drop the locks that SQLite holds on it in this process.
        if (!OperatingSystem.IsWindows() && !File.Exists(path))
        {
            new FileStream(path, new FileStreamOptions
            {
                Mode = FileMode.CreateNew,
                Access = FileAccess.Write,
                UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite,
            }).Dispose();
        }
    }
}
