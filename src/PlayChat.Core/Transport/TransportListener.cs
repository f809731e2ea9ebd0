using System.Net;

namespace PlayChat.Core.Transport;

/// <summary>Takes new links on one address.</summary>
public abstract class TransportListener : IAsyncDisposable
{
    /// <summary>The address that is really bound: port 0 has become a number.</summary>
    public abstract EndPoint EndPoint { get; }

    /// <summary>Gives the next link. One call at a time.</summary>
    /// <returns><see langword="null"/> when the listener was disposed.</returns>
    /// <exception cref="IOException">One link could not be taken, for example for lack of file handles; the next call may succeed.</exception>
    public abstract ValueTask<TransportConnection?> AcceptAsync();

    /// <summary>Stops listening. Links that were taken live on.</summary>
    public abstract ValueTask DisposeAsync();
}
