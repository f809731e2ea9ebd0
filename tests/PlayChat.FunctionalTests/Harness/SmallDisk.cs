using System.Diagnostics;
using System.Globalization;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>A disk in memory that is soon full, and can be made larger. Linux, as root.</summary>
internal sealed class SmallDisk : IAsyncDisposable
{
    private readonly TemporaryDirectory _folder = new();

    private SmallDisk()
    {
    }

    /// <summary>Why a test without one is skipped.</summary>
    public static string SkipReason => "A disk of a size of its own (tmpfs) needs Linux, and root to mount it.";

    /// <summary>Where it is.</summary>
    public string Path => _folder.Path;

    /// <summary>Makes one.</summary>
    /// <returns><see langword="null"/> where that cannot be.</returns>
    public static async Task<SmallDisk?> TryMountAsync(int megabytes)
    {
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root")
        {
            return null;
        }

        var disk = new SmallDisk();
        if (await RunAsync("mount", "-t", "tmpfs", "-o", SizeOf(megabytes), "tmpfs", disk.Path))
        {
            return disk;
        }

        disk._folder.Dispose();
        return null; // a container that may not mount
    }

    /// <summary>Gives it another size; what is on it stays.</summary>
    public async Task ResizeAsync(int megabytes) => Assert.True(await RunAsync("mount", "-o", "remount," + SizeOf(megabytes), Path));

    /// <summary>Allows no more writes; what is on it stays.</summary>
    public async Task MakeReadOnlyAsync() => Assert.True(await RunAsync("mount", "-o", "remount,ro", Path));

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await RunAsync("umount", "-l", Path);
        _folder.Dispose();
    }

    private static string SizeOf(int megabytes) => string.Create(CultureInfo.InvariantCulture, $"size={megabytes}m");

    private static async Task<bool> RunAsync(string program, params string[] arguments)
    {
        using Process process =
            ChildProcess.Start(new ProcessStartInfo(program, arguments) { UseShellExecute = false, RedirectStandardError = true });
        await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync().WaitAsync(TestTimeouts.Hang);
        return process.ExitCode == 0;
    }
}
