namespace PlayChat.Chat.Hosting;

/// <summary>Knows whether the terminal that the server was started from has closed.</summary>
/// <remarks>
/// SIGHUP has two meanings: the terminal has closed, or an operator asks for a reload. When a terminal closes, the system takes it from
/// its processes before it sends the signal, so opening /dev/tty tells the two apart.
/// </remarks>
internal sealed class ControllingTerminal
{
    private const string Device = "/dev/tty";
    private const int NoSuchDevice = 6; // ENXIO: this process has no terminal

    private readonly bool _hadOne = !OperatingSystem.IsWindows() && TryOpen(out _);

    /// <summary>
    /// Whether the process had a terminal when this object was made and has none now. On Windows SIGHUP means nothing else.
    /// </summary>
    public bool HasGone => OperatingSystem.IsWindows() || (_hadOne && !TryOpen(out int error) && error == NoSuchDevice);

    // Any other error, such as no free descriptor, says nothing about the terminal.
    private static bool TryOpen(out int error)
    {
        try
        {
            File.OpenHandle(Device, FileMode.Open, FileAccess.Read, FileShare.ReadWrite).Dispose();
            error = 0;
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            error = e.HResult; // of an IOException on Unix: errno
            return false;
        }
    }
}
