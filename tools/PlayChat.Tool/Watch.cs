using System.Threading.Channels;

namespace PlayChat.Tool;

/// <summary>Does something now, and again whenever a file has been written.</summary>
internal static class Watch
{
    // A build writes the file in several steps.
    private static readonly TimeSpan s_quiet = TimeSpan.FromMilliseconds(200);

    /// <summary>Ends when it is cancelled.</summary>
    public static async Task RunAsync(string file, Action act, CancellationToken cancellationToken)
    {
        var changes = Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
        using var watcher = new FileSystemWatcher(Path.GetDirectoryName(Path.GetFullPath(file))!, Path.GetFileName(file));
        watcher.Changed += (_, _) => changes.Writer.TryWrite(true);
        watcher.Created += (_, _) => changes.Writer.TryWrite(true);
        watcher.Renamed += (_, _) => changes.Writer.TryWrite(true);
        watcher.EnableRaisingEvents = true;
        act();
        try
        {
            while (await changes.Reader.WaitToReadAsync(cancellationToken))
            {
                await Task.Delay(s_quiet, cancellationToken);
                changes.Reader.TryRead(out _);
                act();
            }
        }
        catch (OperationCanceledException)
        {
            // Ctrl+C is the way to end it.
        }
    }
}
