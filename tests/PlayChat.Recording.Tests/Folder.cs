namespace PlayChat.Recording.Tests;

/// <summary>A folder for the recordings of one test.</summary>
internal sealed class Folder : IDisposable
{
    internal string Path { get; } = Directory.CreateTempSubdirectory("playchat-recordings-").FullName;

    internal IReadOnlyList<string> Files => Directory.GetFiles(Path);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
