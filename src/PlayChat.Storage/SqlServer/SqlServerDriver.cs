using Microsoft.Data.SqlClient;

namespace PlayChat.Storage.SqlServer;

/// <summary>Microsoft.Data.SqlClient, whose pool belongs to the connection string.</summary>
internal sealed class SqlServerDriver : IServerDriver
{
    private readonly string _connectionString;
    private readonly string _sessionString;

    /// <exception cref="StorageException">The connection string is none.</exception>
    public SqlServerDriver(string connectionString)
    {
        try
        {
            var settings = new SqlConnectionStringBuilder(connectionString);
            if (!settings.ShouldSerialize("Application Name"))
            {
                settings.ApplicationName = "PlayChat";
            }
            if (string.IsNullOrWhiteSpace(settings.DataSource))
            {
                throw Bad();
            }
            Location = $"SQL Server database '{settings.InitialCatalog}' on {settings.DataSource}";
            _connectionString = settings.ConnectionString;
            settings.Pooling = false;
            _sessionString = settings.ConnectionString;
        }
        catch (Exception exception) when (
            exception is ArgumentException or FormatException or KeyNotFoundException or InvalidOperationException or NotSupportedException)
        {
            throw Bad();
        }
    }

    public string Location { get; }

    public DbConnection CreateConnection() => new SqlConnection(_connectionString);

    public DbConnection CreateSession() => new SqlConnection(_sessionString);

    public void ClearIdle(DbConnection connection) => SqlConnection.ClearPool((SqlConnection)connection);

    public ServerError? Explain(Exception exception, bool isOpening) => SqlServerErrors.Explain(exception, isOpening, Location);

    private static StorageException Bad() =>
        ServerErrors.BadConnectionString("SQL Server", "Server=localhost;Database=playchat;User Id=playchat;Password=…");

    public ValueTask DisposeAsync()
    {
        using var connection = new SqlConnection(_connectionString);
        SqlConnection.ClearPool(connection);
        return ValueTask.CompletedTask;
    }
}
