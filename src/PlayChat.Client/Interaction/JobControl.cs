using System.Runtime.InteropServices;

namespace PlayChat.Client.Interaction;

/// <summary>Gives the terminal back to a shell with job control, and takes it again. Not on Windows.</summary>
internal sealed partial class JobControl
{
    private const int StandardInput = 0;
    private const int WhenWritten = 1; // TCSADRAIN

    // Larger than "struct termios" of any system: 60 bytes on Linux, 72 on macOS.
    private const int SettingsBytes = 256;

    // The shell's, because nothing has been read yet. Not every shell restores them itself.
    private readonly byte[]? _shell = Read();
    private byte[]? _own;

    /// <summary>Whether the terminal is this program's, or there is none.</summary>
    public static bool IsInForeground => GetForegroundGroup(StandardInput) is var group && (group < 0 || group == GetGroup());

    /// <summary>
    /// Whether a shell can continue this process when it is stopped. The group of the terminal's first program has none: the system ignores
    /// a stop from the keyboard for such a group by default, but not <see cref="Stop"/>.
    /// </summary>
    public static bool HasShell => GetSession(0) != GetGroup();

    // Linux, and the systems that come from BSD: signal(7).
    private static int StopSignal => OperatingSystem.IsLinux() || OperatingSystem.IsAndroid() ? 19 : 17;

    public static void Stop() => _ = Kill(Environment.ProcessId, StopSignal);

    /// <summary>Gives the terminal the settings from before the program.</summary>
    public void GiveBack()
    {
        _own = Read();
        Apply(_shell);
    }

    /// <summary>Gives the terminal the settings from before <see cref="GiveBack"/>.</summary>
    public void Take()
    {
        Apply(_own);
        _own = null;
    }

    private static byte[]? Read()
    {
        byte[] settings = new byte[SettingsBytes];
        return !OperatingSystem.IsWindows() && GetSettings(StandardInput, ref settings[0]) == 0 ? settings : null;
    }

    private static void Apply(byte[]? settings)
    {
        if (settings is not null)
        {
            _ = SetSettings(StandardInput, WhenWritten, ref settings[0]);
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int process, int signal);

    [LibraryImport("libc", EntryPoint = "getpgrp")]
    private static partial int GetGroup();

    [LibraryImport("libc", EntryPoint = "getsid")]
    private static partial int GetSession(int process);

    [LibraryImport("libc", EntryPoint = "tcgetpgrp")]
    private static partial int GetForegroundGroup(int descriptor);

    [LibraryImport("libc", EntryPoint = "tcgetattr")]
    private static partial int GetSettings(int descriptor, ref byte settings);

    [LibraryImport("libc", EntryPoint = "tcsetattr")]
    private static partial int SetSettings(int descriptor, int when, ref byte settings);
}
