using System.ComponentModel;
using System.Runtime.InteropServices;

namespace PlayChat.TestUtilities.Processes;

/// <summary>Signals to other processes, which .NET can receive but not send.</summary>
public static class PosixSignals
{
    /// <summary>Why a test is skipped where <see cref="AreSupported"/> is false.</summary>
    public const string SkipReason = "This system has no SIGTERM.";

    private const int SigHup = 1; // POSIX: the same number everywhere, as is the next
    private const int SigTerm = 15;

    /// <summary>Whether this system has them.</summary>
    public static bool AreSupported => !OperatingSystem.IsWindows();

    /// <summary>Asks a process to end.</summary>
    /// <exception cref="Win32Exception">There is no such process.</exception>
    public static void Terminate(int processId) => Send(processId, SigTerm);

    /// <summary>Says that the terminal has closed, or asks a server to reload.</summary>
    /// <exception cref="Win32Exception">There is no such process.</exception>
    public static void HangUp(int processId) => Send(processId, SigHup);

    /// <summary>Holds all threads of a process, until it is continued.</summary>
    /// <exception cref="Win32Exception">There is no such process.</exception>
    public static void Stop(int processId) => Send(processId, OperatingSystem.IsMacOS() ? 17 : 19);

    /// <summary>Lets a stopped process go on.</summary>
    /// <exception cref="Win32Exception">There is no such process.</exception>
    public static void Continue(int processId) => Send(processId, OperatingSystem.IsMacOS() ? 19 : 18);

    private static void Send(int processId, int signal)
    {
        if (!AreSupported)
        {
            throw new PlatformNotSupportedException(SkipReason);
        }

        if (Kill(processId, signal) != 0)
        {
            throw new Win32Exception(Marshal.GetLastPInvokeError());
        }
    }

    [DllImport("libc", EntryPoint = "kill", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static extern int Kill(int processId, int signal);
}
