namespace PlayChat.Storage;

/// <summary>The kind of failure of a store. The numbers are stable.</summary>
public enum StorageErrorKind
{
    /// <summary>Any other failure of the database; the inner exception is the driver's.</summary>
    Failed = 0,

    /// <summary>Creating, opening or writing the folder or file failed.</summary>
    NotWritable = 1,

    /// <summary>The file or database is damaged, or is not a database of this program.</summary>
    NotADatabase = 2,

    /// <summary>A newer version of the program made the database.</summary>
    NewerSchema = 3,

    /// <summary>No connection became free in time, or another program holds the database. Trying again may help.</summary>
    Busy = 4,

    /// <summary>There is no space left. Trying again may help.</summary>
    DiskFull = 5,

    /// <summary>A setting is out of its range; the message names it, its value and the range.</summary>
    InvalidOption = 6,

    /// <summary>The database server is unreachable, or is starting or stopping. Trying again may help.</summary>
    Unavailable = 7,

    /// <summary>The database server does not know the user, the password or the database, or does not allow the work.</summary>
    Refused = 8,

    /// <summary>A value is longer than its column. Nothing was changed.</summary>
    TooLong = 9,

    /// <summary>Another server has the database to itself. Nothing was changed.</summary>
    Owned = 10,

    /// <summary>
    /// The database does not take a value for good: a check of the table refuses it, or it has a character that the database cannot hold.
    /// Nothing was changed. A fault of the table, such as a trigger that fails, is <see cref="Failed"/>.
    /// </summary>
    RefusedValue = 11,
}
