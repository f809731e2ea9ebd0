using System.Globalization;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests.Harness;

/// <summary>What a server's process holds, from /proc.</summary>
/// <param name="ResidentBytes">Memory.</param>
/// <param name="Threads">Threads.</param>
/// <param name="OpenFiles">Descriptors, sockets included.</param>
internal readonly record struct ProcessReading(long ResidentBytes, int Threads, int OpenFiles)
{
    /// <summary>Why a test without it is skipped.</summary>
    public const string SkipReason = "This system has no /proc.";

    /// <summary>Whether this system has /proc.</summary>
    public static bool IsSupported => OperatingSystem.IsLinux();

    /// <summary>Reads the figures of a server that runs.</summary>
    public static ProcessReading Of(ServerProcess server)
    {
        string folder = string.Create(CultureInfo.InvariantCulture, $"/proc/{server.Program.Id}");
        string[] status = File.ReadAllLines(Path.Combine(folder, "status"));
        return new ProcessReading(
            Number(status, "VmRSS:") * 1024,
            (int)Number(status, "Threads:"),
            Directory.EnumerateFileSystemEntries(Path.Combine(folder, "fd")).Count());
    }

    private static long Number(string[] status, string key)
    {
        string line = status.Single(line => line.StartsWith(key, StringComparison.Ordinal));
        string number = line[key.Length..].Trim().Split(' ')[0];
        return long.Parse(number, CultureInfo.InvariantCulture);
    }
}
