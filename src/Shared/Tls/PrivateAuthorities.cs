using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PlayChat.Tls;

/// <summary>Judges the certificates of servers by authorities of one's own.</summary>
internal static class PrivateAuthorities
{
    /// <summary>Accepts certificates that one of the authorities in a file has signed, and no others.</summary>
    /// <param name="path">A file of certificates in PEM.</param>
    /// <exception cref="CryptographicException">The file holds no certificate, or one that is damaged.</exception>
    /// <exception cref="IOException">Reading the file failed.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be read.</exception>
    public static RemoteCertificateValidationCallback TrustOnly(string path)
    {
        var authorities = new X509Certificate2Collection();
        authorities.ImportFromPemFile(path);
        if (authorities.Count == 0)
        {
            throw new CryptographicException("It holds no certificate in PEM.");
        }

        return (_, certificate, sent, errors) =>
        {
            if (certificate is null || (errors & ~SslPolicyErrors.RemoteCertificateChainErrors) != SslPolicyErrors.None)
            {
                return false; // another name
            }

            using var chain = new X509Chain();
            chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
            chain.ChainPolicy.CustomTrustStore.AddRange(authorities);
            chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck; // authorities of one's own rarely publish lists
            if (sent is not null)
            {
                chain.ChainPolicy.ExtraStore.AddRange(sent.ChainPolicy.ExtraStore); // what the server has sent with its own certificate
            }

            using var leaf = new X509Certificate2(certificate);
            return chain.Build(leaf);
        };
    }
}
