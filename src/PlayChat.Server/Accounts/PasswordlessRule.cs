using System.Net;
using PlayChat.Core.Connections;
using PlayChat.Core.Hosting;
using PlayChat.Server.Configuration;

namespace PlayChat.Server.Accounts;

/// <summary>Whether a login by name alone is allowed on a connection.</summary>
internal sealed class PasswordlessRule(ServerSettings settings, PlayChatServer server)
{
    public bool Allows(Connection connection) =>
        Allows(settings.Accounts.AllowPasswordless, connection.LocalEndPoint, server.EndPoints);

    /// <param name="policy">As configured.</param>
    /// <param name="local">Our own address of the link.</param>
    /// <param name="endPoints">What the server listens on.</param>
    internal static bool Allows(PasswordlessPolicy policy, EndPoint? local, IReadOnlyList<EndPoint> endPoints) => policy switch
    {
        PasswordlessPolicy.True => true,
        // The address must be listened on by itself: what comes over loopback to an endpoint for all addresses is at an open endpoint.
        PasswordlessPolicy.Auto => local is IPEndPoint ip && IPAddress.IsLoopback(ip.Address) && endPoints.Contains(local),
        _ => false,
    };
}
