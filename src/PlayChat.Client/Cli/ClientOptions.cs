using System.Net;
using System.Net.Security;

namespace PlayChat.Client.Cli;

internal sealed record ClientOptions
{
    /// <summary>The server, or the nodes of a cluster.</summary>
    public required IReadOnlyList<DnsEndPoint> Nodes { get; init; }

    /// <summary>The server's WebSocket address, in place of <see cref="Nodes"/>; null for TCP.</summary>
    public Uri? Url { get; init; }

    public string? Name { get; init; }

    /// <summary>The player's password; null logs in without one, until the server wants one.</summary>
    public string? Password { get; init; }

    public bool PasswordFromInput { get; init; }

    public bool UseTls { get; init; }

    /// <summary>Judges the server's certificate; null for the authorities of the system.</summary>
    public RemoteCertificateValidationCallback? CertificateValidation { get; init; }

    /// <summary>Whether the client uses the whole window of a terminal, or plain lines; null when the size of the window decides.</summary>
    public bool? FullScreen { get; init; }

    public bool Reconnect { get; init; } = true;

    public string Server => Url?.ToString() ?? string.Join(", ", Nodes.Select(static node =>
        node.Host.Contains(':', StringComparison.Ordinal) ? $"[{node.Host}]:{node.Port}" : $"{node.Host}:{node.Port}"));

    /// <param name="isInteractive">Whether a person sees the attempts to reconnect.</param>
    public ChatClientOptions ToChatClientOptions(bool isInteractive) => new()
    {
        ClientVersion = "PlayChat.Client/" + typeof(ClientOptions).Assembly.GetName().Version?.ToString(fieldCount: 3),
        UseTls = UseTls,
        TlsCertificateValidation = CertificateValidation,
        Reconnect = Reconnect,
        KeepAlive = TimeSpan.FromSeconds(5), // a person who waits for longer believes that nobody answers
        ReconnectTimeout = isInteractive ? TimeSpan.FromDays(1) : TimeSpan.FromMinutes(1), // /quit ends it; a script must end
    };
}

/// <summary>What the program ends with. <c>--help</c> lists the same numbers.</summary>
internal static class ExitCode
{
    /// <summary>The user, the end of the input or Ctrl+C ended it.</summary>
    public const int Success = 0;

    /// <summary>No connection, no login, no room or an unsent message while input is not interactive, or the connection was lost.</summary>
    public const int Failed = 1;

    /// <summary>The command line is wrong; nothing was connected.</summary>
    public const int BadArguments = 2;
}
