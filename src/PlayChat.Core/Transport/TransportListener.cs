namespace PlayChat.Core.Transport;

/// <summary>Accepts new links on one address.</summary>
public abstract class TransportListener : IAsyncDisposable
{
    /// <summary>The bound address; port 0 is replaced by the port that the system chose.</summary>
    public abstract EndPoint EndPoint { get; }

    /// <summary>Waits for the next link. One call at a time.</summary>
    /// <returns><see langword="null"/> when the listener was disposed or has ended by itself.</returns>
    /// <exception cref="IOException">
    /// One link could not be accepted, for example for lack of file handles, and the next call may succeed. A listener that ends because of
    /// a fault of its own says so once by this exception, and returns <see langword="null"/> from then on.
    /// </exception>
    public abstract ValueTask<TransportConnection?> AcceptAsync();

    /// <summary>Stops listening. Accepted links stay open.</summary>
    public abstract ValueTask DisposeAsync();
}
