using Microsoft.Extensions.Hosting;

namespace PlayChat.Server.Sessions;

/// <summary>Says whether the server is stopping. A stopping server finishes the requests it has begun and accepts no new ones.</summary>
internal sealed class ShutdownState(IHostApplicationLifetime lifetime)
{
    /// <summary>The text that accompanies <c>SERVER_SHUTDOWN</c>.</summary>
    public const string Message = "The server is stopping. Connect again later.";

    public bool IsStopping => lifetime.ApplicationStopping.IsCancellationRequested;
}
