namespace PlayChat.Storage;

/// <summary>What kept a store from doing its work. The numbers are stable.</summary>
public enum StorageErrorKind
{
    /// <summary>The database failed in a way that has no kind of its own; the inner exception is the driver's.</summary>
    Failed = 0,

    /// <summary>Creating, opening or writing the folder or file failed.</summary>
    NotWritable = 1,

    /// <summary>What was found is damaged or not a database of this program.</summary>
    NotADatabase = 2,

    /// <summary>A newer version of the program made the database.</summary>
    NewerSchema = 3,

    /// <summary>No connection came free in time, or another program holds the database. Trying again may help.</summary>
    Busy = 4,

    /// <summary>There is no space left. Trying again may help.</summary>
    DiskFull = 5,

    /// <summary>A setting is out of its range; the message names it, its value and the range.</summary>
    InvalidOption = 6,

    /// <summary>The database server is unreachable, or is starting or stopping. Trying again may help.</summary>
    Unavailable = 7,

    /// <summary>The database server does not know the user, the password or the database, or does not allow the work.</summary>
    Refused = 8,

    /// <summary>A value is longer than the database has room for. Nothing was changed.</summary>
    TooLong = 9,

    /// <summary>Another server has the database to itself. Nothing was changed.</summary>
    Owned = 10,
}
