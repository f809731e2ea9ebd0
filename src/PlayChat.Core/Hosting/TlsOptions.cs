namespace PlayChat.Core.Hosting;

/// <summary>TLS of one endpoint, with its main certificate. Without a certificate there is no TLS. Set before start.</summary>
public sealed class TlsOptions : CertificateOptions
{
    /// <summary>
    /// Further certificates. A client that asks for a host name gets the certificate that names it; every other client gets the main one.
    /// A certificate names hosts by the DNS names of its subject alternative name, where <c>*.example.org</c> stands for one label.
    /// </summary>
    public IList<CertificateOptions> Certificates { get; } = [];

    /// <summary>
    /// How often the server looks whether a certificate's file has changed. A changed file is read, and handshakes from then on use it;
    /// open links stay. If it is not valid, the server keeps the certificates it has and logs a warning. You can also reload at once with
    /// <see cref="PlayChatServer.ReloadCertificates"/>.
    /// </summary>
    [Option(
        "How often the server looks whether a file of a certificate has changed; a changed one is used from the next handshake on.",
        Min = "00:00:01",
        Max = "1.00:00:00",
        Off = "never")]
    public TimeSpan CertificateCheckInterval { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>
    /// Whether clients are asked for a certificate of their own, which <see cref="ClientAuthoritiesPath"/> must cover. You find it as
    /// <c>connection.Get&lt;X509Certificate2&gt;()</c>. Default <see cref="ClientCertificateMode.None"/>. Endpoints that ask do not resume
    /// TLS sessions, and revocation is not checked.
    /// </summary>
    [Option("Whether clients are asked for a certificate; with Require, clients without a valid one are refused.")]
    public ClientCertificateMode ClientCertificates { get; set; }

    /// <summary>The PEM file with the certificates of the authorities that sign the certificates of clients.</summary>
    [Option(
        "PEM file with the certificates of the authorities that sign the certificates of clients.",
        Allowed = "a file, or empty for none")]
    public string? ClientAuthoritiesPath { get; set; }

    /// <summary>How long a handshake, or the request for a WebSocket, may take before the link is closed.</summary>
    [Option(
        "How long a TLS handshake, or the request of a WebSocket client, may take.",
        Min = "00:00:00.1",
        Max = "00:05:00",
        WhenReached = "The link is closed.",
        SeenIn = "the log, `playchat.connections.closed` with `TlsFailed`",
        Reloadable = true)]
    public TimeSpan HandshakeTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The number of handshakes and WebSocket upgrades that may run at once on this endpoint. When all are in use, a link from a network
    /// with fewer handshakes displaces the oldest silent handshake of the network that has most; otherwise it is aborted.
    /// </summary>
    [Option(
        "Number of TLS handshakes and WebSocket upgrades that may run at once on an endpoint.",
        Min = 1,
        Max = 1_000_000,
        WhenReached = "The next link takes the place of the oldest silent handshake of the network that has most, or is aborted if its own "
            + "network has as many.",
        SeenIn = "`playchat.handshakes.refused`",
        Reloadable = true)]
    public int MaxHandshakes { get; set; } = 1000;

    /// <summary>
    /// The number of handshakes and WebSocket upgrades that may run at once for one address, so that no address can fill
    /// <see cref="MaxHandshakes"/>. IPv6 addresses that share their first 64 bits count as one. The default is a quarter of the default of
    /// <see cref="MaxHandshakes"/>, enough for an office of clients that reconnect at once. See
    /// <see cref="Connections.ConnectionOptions.LimitsLoopback"/>.
    /// </summary>
    [Option(
        "Number of TLS handshakes and WebSocket upgrades that may run at once for one address (IPv6: one /64 network).",
        Min = 1,
        Max = 1_000_000,
        WhenReached = "The next link of that address is aborted.",
        SeenIn = "`playchat.handshakes.refused`",
        Reloadable = true)]
    public int MaxHandshakesPerAddress { get; set; } = 250;

    /// <summary>All files that TLS of this endpoint reads.</summary>
    internal IEnumerable<string> Files => Certificates.Append(this)
        .Where(static certificate => certificate.Certificate is null)
        .SelectMany(static certificate => new[] { certificate.CertificatePath, certificate.KeyPath })
        .Append(ClientCertificates == ClientCertificateMode.None ? null : ClientAuthoritiesPath)
        .Where(static file => !string.IsNullOrEmpty(file))!;

    internal IEnumerable<string> Validate(string path)
    {
        List<string> problems = [];
        for (int i = 0; i < Certificates.Count; i++)
        {
            string key = $"{path}:{nameof(Certificates)}:{i}";
            problems.AddRange(Certificates[i].ValidateCertificate(key));
            if (Certificates[i].IsSet && !IsSet)
            {
                problems.Add($"{key} is set, but {path}:{nameof(CertificatePath)} is not; clients that name no host need that one.");
            }
        }

        problems.AddRange(ValidateCertificate(path));
        if (ClientCertificates != ClientCertificateMode.None && !IsSet)
        {
            problems.Add($"{path}:{nameof(ClientCertificates)} is {ClientCertificates}, but {path}:{nameof(CertificatePath)} is not set, "
                + "so there would be no TLS and no client would be asked.");
        }

        if (ClientCertificates != ClientCertificateMode.None && !File.Exists(ClientAuthoritiesPath))
        {
            problems.Add($"{path}:{nameof(ClientAuthoritiesPath)} is '{ClientAuthoritiesPath}'; there is no such file, and "
                + $"{path}:{nameof(ClientCertificates)} needs it.");
        }

        problems.AddRange(OptionRule.FindProblems(this, path + ":"));
        return problems;
    }
}
