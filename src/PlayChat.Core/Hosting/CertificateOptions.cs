using System.Security.Cryptography.X509Certificates;
using PlayChat.Options;

namespace PlayChat.Core.Hosting;

/// <summary>One more certificate of a TLS endpoint, for the host names that it names itself. Set before start.</summary>
public sealed class CertificateOptions
{
    /// <summary>A PFX file, or a PEM file with the certificate and its chain.</summary>
    [Option(
        "PFX or PEM file of a further certificate, for clients that ask for a host name that it names. Further ones are 1, 2, ….",
        Allowed = "a file, or empty for none")]
    public string? CertificatePath { get; set; }

    /// <summary>The PEM file with the private key, where it is not in <see cref="CertificatePath"/> itself.</summary>
    [Option("PEM file with its private key, where it is not in the certificate's file.", Allowed = "a file, or empty")]
    public string? KeyPath { get; set; }

    /// <summary>The password of the PFX file or of the encrypted key.</summary>
    [Option("Password of its PFX file or of its encrypted key.", Allowed = "text, or empty for none")]
    public string? Password { get; set; }

    /// <summary>A certificate with its private key, instead of the files. Not disposed by the server.</summary>
    public X509Certificate2? Certificate { get; set; }

    internal bool IsSet => Certificate is not null || !string.IsNullOrEmpty(CertificatePath);

    internal IEnumerable<string> Validate(string path)
    {
        foreach ((string name, string? file) in new[] { (nameof(CertificatePath), CertificatePath), (nameof(KeyPath), KeyPath) })
        {
            if (!string.IsNullOrEmpty(file) && !File.Exists(file))
            {
                yield return $"{path}:{name} is '{file}'; there is no such file.";
            }
        }

        if (Certificate is { HasPrivateKey: false })
        {
            yield return $"{path}:{nameof(Certificate)} has no private key.";
        }
    }
}
