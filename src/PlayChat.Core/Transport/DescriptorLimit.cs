namespace PlayChat.Core.Transport;

/// <summary>The number of file descriptors that the system allows this process. Every link takes one.</summary>
internal static partial class DescriptorLimit
{
    private const int OpenFiles = 7; // RLIMIT_NOFILE of Linux

    /// <summary>
    /// Raises the limit as far as the process may. The runtime does the same when it starts; a natively compiled program relies on this.
    /// </summary>
    /// <returns>The limit; <see langword="null"/> on a system that has none or does not say.</returns>
    internal static unsafe long? Raise()
    {
        if (!OperatingSystem.IsLinux() || !Environment.Is64BitProcess)
        {
            return null;
        }

        ulong* limits = stackalloc ulong[2]; // the soft and the hard limit
        if (GetLimit(OpenFiles, limits) != 0)
        {
            return null;
        }

        ulong soft = limits[0];
        if (soft < limits[1])
        {
            limits[0] = limits[1];
            soft = SetLimit(OpenFiles, limits) == 0 ? limits[1] : soft;
        }

        return soft <= int.MaxValue ? (long)soft : null;
    }

    /// <summary>The number of descriptors that the process has open; 0 where the system does not say.</summary>
    internal static int CountOpen()
    {
        try
        {
            return Directory.EnumerateFileSystemEntries("/proc/self/fd").Count();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    [LibraryImport("libc", EntryPoint = "getrlimit")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static unsafe partial int GetLimit(int resource, ulong* limits);

    [LibraryImport("libc", EntryPoint = "setrlimit")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static unsafe partial int SetLimit(int resource, ulong* limits);
}
