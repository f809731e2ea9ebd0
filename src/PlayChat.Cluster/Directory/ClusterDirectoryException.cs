namespace PlayChat.Cluster.Directory;

/// <summary>The directory did not do the work, in most cases because its database is unreachable. Trying again may help.</summary>
/// <remarks>The work may have been done although its answer was lost; every call is safe to repeat.</remarks>
public sealed class ClusterDirectoryException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="message">What went wrong, where, and what to do about it.</param>
    /// <param name="innerException">The driver's own error.</param>
    public ClusterDirectoryException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }
}
