using PlayChat.Protocol;

namespace PlayChat.Client.Cli;

/// <summary>What the command line says.</summary>
internal sealed record ClientOptions
{
    /// <summary>The server's name or address.</summary>
    public string Host { get; init; } = "127.0.0.1";

    /// <summary>The server's port, 1 to 65,535.</summary>
    public int Port { get; init; } = 7777;

    /// <summary>The player's name; null asks for it.</summary>
    public string? Name { get; init; }

    /// <summary>The player's password; null logs in without one, until the server wants one.</summary>
    public string? Password { get; init; }

    /// <summary>The password is the first line of the input.</summary>
    public bool PasswordFromInput { get; init; }

    /// <summary>Encrypts the connection.</summary>
    public bool UseTls { get; init; }

    /// <summary>Takes whatever certificate the server shows.</summary>
    public bool TrustAnyCertificate { get; init; }

    /// <summary>Plain lines even on a terminal.</summary>
    public bool Plain { get; init; }

    /// <summary>A lost connection is made again without asking.</summary>
    public bool Reconnect { get; init; }

    /// <summary>Waits before each attempt to reconnect, in order; then it gives up.</summary>
    public IReadOnlyList<TimeSpan> ReconnectDelays { get; init; } =
        [.. new[] { 0.5, 1, 2, 4, 8, 8, 8, 8 }.Select(TimeSpan.FromSeconds)];

    /// <summary>How long a broken connection is made again by itself, as the same session; then the user decides.</summary>
    public TimeSpan ResumeTimeout { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>The server as a person reads it.</summary>
    public string Server => Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]:{Port}" : $"{Host}:{Port}";

    public ChatClientOptions ToChatClientOptions()
    {
        var options = new ChatClientOptions
        {
            ClientVersion = "PlayChat.Client/" + typeof(ClientOptions).Assembly.GetName().Version?.ToString(fieldCount: 3),
            UseTls = UseTls,
            ReconnectTimeout = ResumeTimeout,
        };
        if (TrustAnyCertificate)
        {
#pragma warning disable CA5359 // To accept any certificate is what the option is for.
            options.TlsCertificateValidation = static (_, _, _, _) => true;
#pragma warning restore CA5359
        }

        return options;
    }
}
