namespace PlayChat.Core.Transport;

/// <summary>Keeps the close_notify of a TLS link apart from its decryption. Thread-safe.</summary>
/// <remarks>
/// <see cref="System.Net.Security.SslStream.ShutdownAsync"/> takes no lock, and OpenSSL's <c>SSL_shutdown</c> also reads: beside a
/// decryption on another thread, received bytes are lost. So a shutdown runs while the reader waits for the link or is away. A reader
/// that is decrypting runs it as soon as it waits again.
/// </remarks>
/// <param name="shutdown">Makes the close_notify. Called once at most.</param>
internal sealed class DecryptionGate(Action shutdown)
{
    private readonly object _gate = new();
    private bool _isInside;
    private bool _shutdownWaits;

    /// <summary>The reader is about to decrypt. Waits for a shutdown that is being made.</summary>
    internal void Enter()
    {
        lock (_gate)
        {
            _isInside = true;
        }
    }

    /// <summary>The reader decrypts nothing until it enters again.</summary>
    internal void Leave()
    {
        lock (_gate)
        {
            _isInside = false;
            if (_shutdownWaits)
            {
                _shutdownWaits = false;
                shutdown();
            }
        }
    }

    /// <summary>Makes the close_notify now or, if the reader is decrypting, when it leaves.</summary>
    internal void Shutdown()
    {
        lock (_gate)
        {
            if (_isInside)
            {
                _shutdownWaits = true;
            }
            else
            {
                shutdown();
            }
        }
    }
}
