using Microsoft.Extensions.Hosting;

namespace PlayChat.Server.Modes;

/// <summary>Tells handlers that the server is stopping: what is under way is finished, nothing new is begun.</summary>
internal sealed class StopSign(IHostApplicationLifetime lifetime)
{
    public const string Message = "The server is stopping. Connect again later.";

    public bool IsStopping => lifetime.ApplicationStopping.IsCancellationRequested;
}
