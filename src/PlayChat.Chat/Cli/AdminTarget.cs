using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Configuration;
using PlayChat.Chat.Operations;

namespace PlayChat.Chat.Cli;

/// <summary>Which server the admin command talks to, and how it shows that it may.</summary>
/// <param name="Url">Where the operations endpoint listens; <see langword="null"/> takes it from the configuration.</param>
/// <param name="TokenFile">The file whose first line is the token; <see langword="null"/> takes it from the configuration.</param>
/// <param name="CertificateFile">A certificate to accept as it is; <see langword="null"/> for those that the system trusts.</param>
/// <param name="SettingsFile">The configuration file of the server; <see langword="null"/> for the one beside the program.</param>
internal sealed record AdminTarget(Uri? Url, string? TokenFile, string? CertificateFile, string? SettingsFile)
{
    /// <param name="timeout">How long an answer may take; <see cref="Timeout.InfiniteTimeSpan"/> for any time.</param>
    /// <exception cref="StartException">A file is unreadable, or the configuration is invalid.</exception>
    public AdminClient Connect(TimeSpan timeout)
    {
        // On the server's own machine the server's configuration says everything.
        CommandLine options = CommandLine.Parse(SettingsFile is null ? [] : [$"--config={SettingsFile}"]);
        OperationsSettings settings = ServerConfiguration.Load(new ConfigurationManager(), options).Operations;
        X509Certificate2? certificate = CertificateFile is not null ? Read(CertificateFile)
            : Url is null && settings.CertificatePath.Length > 0 ? new OperationsCertificate(settings).Current.TargetCertificate
            : null;
        return new AdminClient(Url ?? AddressOf(settings), ReadToken(settings), certificate, timeout);
    }

    private static Uri AddressOf(OperationsSettings settings)
    {
        System.Net.IPEndPoint endPoint = OperationsAddress.Check(settings);
        if (endPoint.Port == 0)
        {
            throw new StartException("Operations:Address has port 0, so the configuration does not tell the port. Name it with --url.");
        }

        bool isEvery = endPoint.Address.Equals(System.Net.IPAddress.Any) || endPoint.Address.Equals(System.Net.IPAddress.IPv6Any);
        string scheme = settings.CertificatePath.Length > 0 ? "https" : "http";
        return new Uri(isEvery ? $"{scheme}://localhost:{endPoint.Port}" : $"{scheme}://{endPoint}");
    }

    private static X509Certificate2 Read(string file)
    {
        try
        {
            return new X509Certificate2(file);
        }
        catch (System.Security.Cryptography.CryptographicException e)
        {
            throw new StartException($"--certificate is '{file}'; reading it failed: {e.Message}", e);
        }
    }

    private string ReadToken(OperationsSettings settings)
    {
        if (TokenFile is null)
        {
            return OperationsToken.Read(settings);
        }

        try
        {
            string token = File.ReadLines(TokenFile).FirstOrDefault("").Trim();
            return OperationsToken.IsToken(token)
                ? token
                : throw new StartException(
                    $"--token-file is '{TokenFile}', whose first line is no token: a token has printable ASCII characters alone. Write the "
                        + "value of Operations:Token there, in UTF-8.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new StartException($"--token-file is '{TokenFile}'; reading it failed: {e.Message}", e);
        }
    }
}
