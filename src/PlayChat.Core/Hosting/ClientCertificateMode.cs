namespace PlayChat.Core.Hosting;

/// <summary>Whether a TLS endpoint asks its clients for certificates.</summary>
public enum ClientCertificateMode
{
    /// <summary>Clients are not asked.</summary>
    None,

    /// <summary>Clients are asked. A certificate that is shown must be valid; a client without one is accepted.</summary>
    Allow,

    /// <summary>Clients are asked, and a client without a valid certificate is refused.</summary>
    Require,
}
