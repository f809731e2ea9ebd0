using System.Reflection;

namespace PlayChat.Cluster.Postgres;

/// <summary>Options of <see cref="PostgresDirectory"/>. Read when the directory is made.</summary>
public sealed class PostgresDirectoryOptions
{
    private const int MaxVersionLength = 100;

    /// <summary>How to reach the database, in Npgsql's form: <c>Host=…;Database=…;Username=…;Password=…</c>. Required.</summary>
    /// <remarks>Unless the string says otherwise, a directory uses at most 8 connections, and waits at most 5 seconds for a connection and
    /// for an answer. Calls that find no free connection wait for one.</remarks>
    public string ConnectionString { get; set; } = "";

    /// <summary>How long a node lives without renewing its lease. Default 10 s; 100 ms to 10 minutes.</summary>
    /// <remarks>Members of a crashed node leave their rooms after this time and one sweep. A shorter lease ends nodes that pause for a
    /// moment.</remarks>
    public TimeSpan LeaseDuration { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The version of this program, which other nodes read in <see cref="Directory.NodeInfo.Version"/>: at most 100 characters. By
    /// default the <see cref="AssemblyInformationalVersionAttribute"/> of the process's main program.</summary>
    public string Version { get; set; } =
        Assembly.GetEntryAssembly()?.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "";

    /// <summary>Checks all values.</summary>
    /// <exception cref="ArgumentException">A value is outside its range, or the connection string is invalid.</exception>
#pragma warning disable MA0015 // an option is no parameter
    public void Validate()
    {
        PostgresSource.Parse(ConnectionString);
        if (LeaseDuration < TimeSpan.FromMilliseconds(100) || LeaseDuration > TimeSpan.FromMinutes(10))
        {
            throw new ArgumentException($"{nameof(LeaseDuration)} is {LeaseDuration}; it must be 100 ms to 10 minutes.");
        }

        if (Version is not { Length: <= MaxVersionLength })
        {
            throw new ArgumentException($"{nameof(Version)} must have at most {MaxVersionLength} characters.");
        }
    }
#pragma warning restore MA0015
}
