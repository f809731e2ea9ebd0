using Microsoft.Data.SqlClient;

namespace PlayChat.Storage.SqlServer;

/// <summary>What SQL Server's error numbers mean:
/// https://learn.microsoft.com/sql/relational-databases/errors-events/database-engine-events-and-errors</summary>
internal static class SqlServerErrors
{
    public static ServerError? Explain(Exception exception, bool isOpening, string location) => exception switch
    {
        SqlException error => ExplainNumber(error.Number, error.Message, isOpening, location),
        // An exhausted pool is no SqlException.
        InvalidOperationException when isOpening => ServerErrors.PoolExhausted(location),
        _ => null,
    };

    public static bool IsDuplicate(int number) => number is 2627 or 2601;

    public static ServerError ExplainNumber(int number, string message, bool isOpening, string location) => number switch
    {
        _ when IsDuplicate(number) => ServerErrors.Busy(location), // another writer was quicker: the next try sees its row
        // deadlock, lock, throttling
        1205 or 1222 or 3960 or 10928 or 10929 or 40501 or 49918 or 49919 or 49920 => ServerErrors.Busy(location),
        // fail-over, start, shutdown
        40197 or 40540 or 40613 or 40143 or 4221 or 615 or 6005 or 17142 or 18401 => ServerErrors.Unreachable(location),
        20 or 64 or 121 or 233 or 10053 or 10054 => ServerErrors.Unreachable(location), // the connection broke
        -2 or 258 => ServerErrors.NoAnswer(location),
        2 or 40 or 53 or 10060 or 10061 or 11001 => ServerErrors.Unreachable(location), // there is no connection
        8152 or 2628 => ServerErrors.TooLong(location),
        // The number is that of a foreign key too, which is the table's fault, as is what a trigger throws: it passes when it is mended.
        547 when message.Contains("the CHECK constraint", StringComparison.Ordinal) => ServerErrors.RefusedValue(location, message),
        1101 or 1105 or 9002 => ServerErrors.DiskFull(location),
        2714 => ServerErrors.Foreign(location),
        3906 => ServerErrors.ReadOnly(location),
        229 or 262 or 916 or 4060 or 4064 or 18452 or 18456 or 18470 or 18487 or 18488 => ServerErrors.Refused(location, message),
        // Not on Windows, the driver gives what the network reports no number.
        _ when isOpening => ServerErrors.Unreachable(location),
        0 => ServerErrors.Unreachable(location),
        _ => ServerErrors.Failed(location, message),
    };
}
