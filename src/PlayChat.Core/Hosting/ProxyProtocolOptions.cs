namespace PlayChat.Core.Hosting;

/// <summary>The PROXY protocol of one endpoint: behind a proxy, the server sees the addresses of the clients. Set before start.</summary>
/// <remarks>
/// Versions 1 and 2 are read. The limits by address, the throttle of logins and the log then use the client's address. An endpoint with
/// trusted sources serves these alone: a link from elsewhere is refused, because a client that could reach it directly could claim any
/// address. Open a second endpoint for clients that come without a proxy.
/// </remarks>
public sealed class ProxyProtocolOptions
{
    private const string SourcesForm = "addresses and networks such as 127.0.0.1, 10.0.0.0/8, fd00::/8, separated by commas; empty for off";

    /// <summary>The addresses of the proxies. Default none: the endpoint expects no header, and clients connect directly.</summary>
    [Option(
        "Proxies that send a PROXY protocol header (version 1 or 2) before the client's bytes. Only these may connect to the endpoint.",
        Allowed = SourcesForm,
        WhenReached = "A link from another address, or with a malformed header, is aborted.",
        SeenIn = "`playchat.proxy.refused`")]
    public string TrustedSources { get; set; } = "";

    /// <summary>How long a proxy may take to send the header.</summary>
    [Option(
        "How long a proxy may take to send the header of the PROXY protocol.",
        Min = "00:00:00.1",
        Max = "00:05:00",
        WhenReached = "The link is aborted.",
        SeenIn = "`playchat.proxy.refused`")]
    public TimeSpan HeaderTimeout { get; set; } = TimeSpan.FromSeconds(5);

    internal bool IsEnabled => TryGetSources(out IReadOnlyList<IPNetwork> sources, out _) && sources.Count > 0;

    /// <summary>Parses <see cref="TrustedSources"/>.</summary>
    /// <returns><see langword="false"/> with the part that is neither an address nor a network.</returns>
    internal bool TryGetSources(out IReadOnlyList<IPNetwork> sources, out string problem) =>
        TrustedNetworks.TryParse(TrustedSources, out sources, out problem);

    internal IEnumerable<string> Validate(string path)
    {
        IEnumerable<string> problems = OptionRule.FindProblems(this, path + ":");
        return TryGetSources(out _, out string problem)
            ? problems
            : problems.Prepend($"{path}:{nameof(TrustedSources)} has '{problem}'; allowed is {SourcesForm}.");
    }
}
