using System.Security.Cryptography.X509Certificates;
using PlayChat.Protocol;

namespace PlayChat.RoomProbe;

/// <summary>Connects players to the server.</summary>
/// <param name="port">The server's, on this machine.</param>
/// <param name="thumbprint">Of the certificate that the server shows, or null where it speaks no TLS.</param>
internal sealed class Players(int port, string? thumbprint)
{
    // A guard against hanging, not a measure.
    private static readonly TimeSpan s_hang = TimeSpan.FromMinutes(1);

    /// <summary>Connects a player and logs it in.</summary>
    public async Task<ChatClient> LoginAsync(string name, string? password = null)
    {
        ChatClient client = await ChatClient.ConnectAsync(thumbprint is null ? "127.0.0.1" : "localhost", port, new ChatClientOptions
        {
            RequestTimeout = s_hang,
            ConnectTimeout = s_hang,
            LoginTimeout = s_hang,
            Reconnect = false,
            UseTls = thumbprint is not null,
            TlsCertificateValidation =
                thumbprint is null ? null : (_, shown, _, _) => shown is X509Certificate2 known && known.Thumbprint == thumbprint,
        });
        try
        {
            await client.LoginAsync(name, password);
            return client;
        }
        catch
        {
            await client.DisposeAsync();
            throw;
        }
    }
}
