namespace PlayChat.Chat.Operations.Admin;

/// <summary>A request of an operator that the server refuses. Its message says why and what to do.</summary>
internal sealed class AdminException(int status, string message) : Exception(message)
{
    /// <summary>The HTTP status of the answer.</summary>
    public int Status => status;

    /// <summary>The request is invalid.</summary>
    public static AdminException Invalid(string message) => new(400, message);

    /// <summary>What it names does not exist.</summary>
    public static AdminException NotFound(string message) => new(404, message);

    /// <summary>It contradicts the present state.</summary>
    public static AdminException Conflict(string message) => new(409, message);

    /// <summary>Something that it needs does not answer.</summary>
    public static AdminException Unavailable(string message) => new(503, message);
}
