namespace PlayChat.Core.Hosting;

/// <summary>A certificate of a TLS endpoint: the main one (<see cref="TlsOptions"/>) or a further one. Set before start.</summary>
public class CertificateOptions
{
    /// <summary>A PFX file, or a PEM file with the certificate and its chain; <see langword="null"/> or empty for none.</summary>
    [Option(
        "PFX file, or PEM file with the certificate and its chain. One of `Certificates` is for the host names that it names.",
        Allowed = "a file, or empty for none")]
    public string? CertificatePath { get; set; }

    /// <summary>The PEM file with the private key, where it is not in <see cref="CertificatePath"/> itself.</summary>
    [Option("PEM file with the private key, where it is not in the certificate's file.", Allowed = "a file, or empty")]
    public string? KeyPath { get; set; }

    /// <summary>The password of the PFX file or of the encrypted key.</summary>
    [Option("Password of the PFX file or of the encrypted key.", Allowed = "text, or empty for none")]
    public string? Password { get; set; }

    /// <summary>A certificate with its private key, instead of the files. Not disposed by the server.</summary>
    public X509Certificate2? Certificate { get; set; }

    internal bool IsSet => Certificate is not null || !string.IsNullOrEmpty(CertificatePath);

    internal IEnumerable<string> ValidateCertificate(string path)
    {
        foreach ((string name, string? file) in new[] { (nameof(CertificatePath), CertificatePath), (nameof(KeyPath), KeyPath) })
        {
            if (!string.IsNullOrEmpty(file) && !File.Exists(file))
            {
                yield return $"{path}:{name} is '{file}'; there is no such file.";
            }
        }

        if (!IsSet && File.Exists(KeyPath))
        {
            yield return $"{path}:{nameof(KeyPath)} is '{KeyPath}', but {path}:{nameof(CertificatePath)} is not set, so there would be no "
                + "TLS; set it, or remove the key.";
        }

        if (Certificate is { HasPrivateKey: false })
        {
            yield return $"{path}:{nameof(Certificate)} has no private key.";
        }
    }
}
