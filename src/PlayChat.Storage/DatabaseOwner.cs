using System.Diagnostics;
using System.Globalization;

namespace PlayChat.Storage;

/// <summary>The server that has a database to itself.</summary>
/// <param name="Id">A random text: two starts of a server never have the same.</param>
/// <param name="Machine">The machine's name.</param>
/// <param name="ProcessId">The process on that machine.</param>
/// <param name="StartedAt">When the process started; stored as UTC, cut to the microsecond.</param>
public sealed record DatabaseOwner(string Id, string Machine, int ProcessId, DateTimeOffset StartedAt)
{
    /// <summary>Names the current process, with a new id.</summary>
    public static DatabaseOwner OfThisProcess()
    {
        using var process = Process.GetCurrentProcess();
        return new DatabaseOwner(
            Guid.NewGuid().ToString("N"), Environment.MachineName, process.Id, new DateTimeOffset(process.StartTime.ToUniversalTime()));
    }

    /// <summary>Process, machine and start, for a person.</summary>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture, $"process {ProcessId} on {Machine}, started {StartedAt.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC");
}
