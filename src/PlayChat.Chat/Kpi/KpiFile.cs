using System.Text;

namespace PlayChat.Chat.Kpi;

/// <summary>A file to which lines are appended. Each line is in the file when the call returns, so other programs can follow it.</summary>
internal sealed class KpiFile : IDisposable
{
    private readonly StreamWriter _writer;

    private KpiFile(string path, StreamWriter writer)
    {
        Path = path;
        _writer = writer;
    }

    /// <summary>Its full path.</summary>
    public string Path { get; }

    /// <summary>Opens or creates a file, and its folder; lines go to its end.</summary>
    /// <param name="key">The key that names it.</param>
    /// <param name="path">Empty for none.</param>
    /// <exception cref="StartException">The file is not writable.</exception>
    public static KpiFile? Open(string key, string path)
    {
        if (path.Length == 0)
        {
            return null;
        }

        try
        {
            string full = System.IO.Path.GetFullPath(path);
            Directory.CreateDirectory(System.IO.Path.GetDirectoryName(full)!);
            var stream = new FileStream(full, FileMode.Append, FileAccess.Write, FileShare.Read | FileShare.Delete);
            return new KpiFile(full, new StreamWriter(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new StartException($"{key} is '{path}'; writing this file failed: {e.Message}", e);
        }
    }

    public void WriteLine(string line)
    {
        _writer.Write(line);
        _writer.Write('\n');
        _writer.Flush();
    }

    public void Dispose() => _writer.Dispose();
}
