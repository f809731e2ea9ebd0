using System.Security.Claims;

namespace PlayChat.Core.Hosting;

/// <summary>Facts about a connection that another server hands over to a <see cref="PlayChatServer"/>.</summary>
public sealed record HostedLink
{
    /// <summary>The address of the client. Default none: no limit per address applies then.</summary>
    public EndPoint? RemoteEndPoint { get; init; }

    /// <summary>The address that the client has connected to. Default none.</summary>
    public EndPoint? LocalEndPoint { get; init; }

    /// <summary>
    /// The certificate that the client has shown, after it was checked. Default none. Handlers find it by
    /// <c>connection.Get&lt;X509Certificate2&gt;()</c>.
    /// </summary>
    public X509Certificate2? ClientCertificate { get; init; }

    /// <summary>
    /// The user that the other server has authenticated. Default none. Handlers find it by
    /// <c>connection.Get&lt;ClaimsPrincipal&gt;()</c>. It is no login: the session is anonymous until the application binds it.
    /// </summary>
    public ClaimsPrincipal? User { get; init; }

    /// <summary>
    /// Ends the connection at once, so that reads and writes under way end. Default: nothing more than the end of the pipe or stream.
    /// </summary>
    /// <remarks>
    /// Called at most once, from any thread, and not after the task of <c>ServeAsync</c> has completed. Must not block. An exception is
    /// logged, and the connection ends as if there were no such action.
    /// </remarks>
    public Action? Abort { get; init; }

    /// <summary>Makes an abort that never throws: an exception would leave the link half ended, and <c>ServeAsync</c> would wait.</summary>
    internal static Action Guard(Action abort, EndPoint? remote, ILogger logger) => () =>
    {
        try
        {
            abort();
        }
        catch (Exception e)
        {
            HostingLog.AbortFault(logger, e, remote); // the other server's code
        }
    };
}
