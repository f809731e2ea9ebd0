using System.Net.Security;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Clients;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;

namespace PlayChat.Protocol;

/// <summary>Settings of <see cref="ChatClient"/>. Read when the client or the connector is made; later changes have no effect.</summary>
public sealed class ChatClientOptions
{
    /// <summary>
    /// How long connecting, with the TLS handshake, may take, and then the answer to a resume: 1 ms to 10 minutes. Default 10 seconds.
    /// </summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a request may wait for its answer, and before that for its turn: 1 ms to 1 day, or <see
    /// cref="Timeout.InfiniteTimeSpan"/>. Default 10 seconds.</summary>
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// As <see cref="RequestTimeout"/>, for the login, which waits while the server checks the passwords of earlier logins: 1 ms to 1 day,
    /// or <see cref="Timeout.InfiniteTimeSpan"/>. Default 2 minutes.
    /// </summary>
    public TimeSpan LoginTimeout { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>Requests that may wait for their answers at once: 1 to 32,768. Default 1,024. One more waits for its turn.</summary>
    public int MaxRequestsInFlight { get; set; } = 1024;

    /// <summary>Bytes that may wait to be sent: 4,096 to 1,073,741,824. Default 1 MiB. What would go beyond is refused: see <see
    /// cref="ChatClient.SendChat"/>.</summary>
    public int MaxOutboundBytes { get; set; } = 1024 * 1024;

    /// <summary>
    /// Whether the client makes a broken connection again by itself and resumes, or logs in again when it cannot resume. Default true. For
    /// the second it keeps name and password in memory.
    /// </summary>
    public bool Reconnect { get; set; } = true;

    /// <summary>The wait before the first attempt to reconnect: 0 to 1 hour. Default 250 ms. It doubles with each attempt; of each wait a
    /// random part, half of it at most, is left out.</summary>
    public TimeSpan ReconnectDelay { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>The longest wait between two attempts: 0 to 1 hour. Default 5 seconds.</summary>
    public TimeSpan MaxReconnectDelay { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// How long after a break attempts are made: 0 to 1 day. Default 1 minute. When the server has asked the client to come back, the time
    /// counts from the moment that it named. Longer than the server keeps a session (30 seconds unless
    /// configured otherwise), because the server may notice a break later than the client.
    /// </summary>
    public TimeSpan ReconnectTimeout { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>
    /// Silence of the server after which it is asked whether it is there; when it is silent as long again, the connection counts as broken.
    /// 10 ms to 1 day, or
    /// <see cref="Timeout.InfiniteTimeSpan"/>. Default 10 seconds. Only with <see cref="Reconnect"/>.
    /// </summary>
    public TimeSpan KeepAlive { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Program and version, for the server's log: what <see cref="ChatRules.IsClientVersion"/> allows. Default "PlayChat.Protocol"
    /// and its version.</summary>
    public string ClientVersion { get; set; } = "PlayChat.Protocol/"
        + typeof(ChatClientOptions).Assembly.GetName().Version?.ToString(fieldCount: 3);

    /// <summary>Encrypts the connection. Default false. With a WebSocket address its scheme says it.</summary>
    public bool UseTls { get; set; }

    /// <summary>The name that the server's certificate must have. Default none: the host that is connected to.</summary>
    public string? TlsTargetHost { get; set; }

    /// <summary>Judges the server's certificate, for instance one that the server signed itself. Default none: the system's trust
    /// decides.</summary>
    public RemoteCertificateValidationCallback? TlsCertificateValidation { get; set; }

    /// <summary>How bytes are moved. Default none: TCP sockets.</summary>
    public ITransport? Transport { get; set; }

    /// <summary>Creates the loggers of the client. Default: no logging.</summary>
    public ILoggerFactory LoggerFactory { get; set; } = NullLoggerFactory.Instance;

    /// <summary>The clock of all timeouts. Default the system's.</summary>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <param name="host">Where TLS is the connector's own, the name that the server's certificate has by default.</param>
    internal ConnectorOptions ToConnectorOptions(string? host)
    {
        Validate();
        var options = new ConnectorOptions { ConnectTimeout = ConnectTimeout };
        options.Connections.MaxOutboundBytes = MaxOutboundBytes;

        // Here the slow one is the server: what does not fit is refused to its sender, and the connection lives on.
        options.Connections.SlowConsumer = Core.Connections.SlowConsumerPolicy.DropNewest;
        options.Tls = UseTls && host is not null ? ToTlsOptions(host) : null;
        return options;
    }

    /// <param name="host">The name that the server's certificate has by default.</param>
    internal SslClientAuthenticationOptions ToTlsOptions(string host) => new()
    {
        TargetHost = TlsTargetHost ?? host,
        RemoteCertificateValidationCallback = TlsCertificateValidation,
    };

    private static void RequireWithin(TimeSpan value, TimeSpan min, TimeSpan max, string name, List<string> problems)
    {
        if (value < min || value > max)
        {
            problems.Add($"{name} is {value}; allowed is {min} to {max}.");
        }
    }

    private static void RequireTimeout(TimeSpan value, string name, List<string> problems)
    {
        if (value != Timeout.InfiniteTimeSpan && (value < TimeSpan.FromMilliseconds(1) || value > TimeSpan.FromDays(1)))
        {
            problems.Add($"{name} is {value}; allowed is 00:00:00.001 to 1.00:00:00, or infinite.");
        }
    }

    private void Validate()
    {
        var problems = new List<string>();
        RequireTimeout(RequestTimeout, nameof(RequestTimeout), problems);
        RequireTimeout(LoginTimeout, nameof(LoginTimeout), problems);

        if (MaxRequestsInFlight is < 1 or > 32_768)
        {
            problems.Add($"{nameof(MaxRequestsInFlight)} is {MaxRequestsInFlight}; allowed is 1 to 32768.");
        }

        RequireWithin(ReconnectDelay, TimeSpan.Zero, TimeSpan.FromHours(1), nameof(ReconnectDelay), problems);
        RequireWithin(MaxReconnectDelay, TimeSpan.Zero, TimeSpan.FromHours(1), nameof(MaxReconnectDelay), problems);
        RequireWithin(ReconnectTimeout, TimeSpan.Zero, TimeSpan.FromDays(1), nameof(ReconnectTimeout), problems);
        if (KeepAlive != Timeout.InfiniteTimeSpan)
        {
            RequireWithin(KeepAlive, TimeSpan.FromMilliseconds(10), TimeSpan.FromDays(1), nameof(KeepAlive), problems);
        }

        if (!ChatRules.IsClientVersion(ClientVersion))
        {
            problems.Add($"{nameof(ClientVersion)} is '{ClientVersion}'; allowed is at most {ChatLimits.MaxClientVersionChars} characters "
                + $"without control characters.");
        }

        if (problems.Count > 0)
        {
            throw new OptionsException(problems);
        }
    }
}
