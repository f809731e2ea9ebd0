namespace PlayChat.Chat.Accounts;

/// <summary>Whether this server lets an account without a password log in by its name alone.</summary>
/// <remarks>
/// The address of a connection decides nothing: behind a proxy on this machine every visitor comes from loopback. A proxy without the PROXY
/// protocol looks like a local client, so its operator has to set the policy.
/// </remarks>
internal sealed class PasswordlessRule(ServerSettings settings, PlayChatServer server, OwnLogin? own = null)
{
    /// <summary>Whether a name is enough. The server has started.</summary>
    // An account that an authenticator has let in has no password, and its name alone must not open it.
    public bool IsInEffect => Allows(
        own is not null && settings.Accounts.AllowPasswordless == AutoSwitch.Auto
            ? AutoSwitch.False : settings.Accounts.AllowPasswordless,
        server.EndPoints,
        server.Options.Endpoints.Any(static endpoint => !string.IsNullOrWhiteSpace(endpoint.ProxyProtocol.TrustedSources)
            || (endpoint.WebSocket.Enabled && !string.IsNullOrWhiteSpace(endpoint.WebSocket.TrustedProxies))));

    internal static bool Allows(AutoSwitch policy, IEnumerable<EndPoint> endPoints, bool hasProxy) => policy switch
    {
        AutoSwitch.True => true,
        AutoSwitch.Auto => !hasProxy
            && endPoints.All(static endPoint => endPoint is IPEndPoint { Address: var address } && IPAddress.IsLoopback(address)),
        _ => false,
    };
}
