namespace PlayChat.Core.Sessions;

/// <summary>The resume store did not answer, so the server does not know whether a token is valid. Tell the client to keep the token and
/// to try again later.</summary>
public sealed class ResumeStoreException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="innerException">What the store threw, or how long it took.</param>
    public ResumeStoreException(Exception innerException)
        : base("The resume store did not answer, so it is unknown whether the token is valid. Try again later.", innerException)
    {
    }
}
