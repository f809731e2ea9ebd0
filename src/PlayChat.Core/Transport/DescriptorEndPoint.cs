namespace PlayChat.Core.Transport;

/// <summary>A TCP socket that listens already, named by its descriptor in this process. Linux only.</summary>
/// <remarks>
/// <para>
/// A service manager such as systemd makes such a socket, passes it to each process that it starts, and keeps it between them. Pass this
/// end point to <see cref="ITransport.Listen"/> to accept its connections.
/// </para>
/// <para>
/// A listener that was started owns the descriptor and closes it when it is disposed. Other descriptors of the same socket stay open, and
/// the socket continues to listen as long as one of them does. When the start of a listener fails, the descriptor stays open and remains
/// the caller's. The descriptor must not be marked close-on-exec, or the runtime shuts the socket down for all processes; a descriptor
/// that survived an exec never is.
/// </para>
/// <para>
/// With <see cref="SocketTransport"/>, listen by one descriptor only once in the life of a process: the runtime does not forget a
/// descriptor while its socket lives.
/// </para>
/// </remarks>
public sealed class DescriptorEndPoint : EndPoint
{
    /// <summary>Names a descriptor. The system looks at it only when a transport listens.</summary>
    /// <param name="descriptor">At least 0.</param>
    /// <exception cref="ArgumentOutOfRangeException">The descriptor is negative.</exception>
    public DescriptorEndPoint(int descriptor)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(descriptor);
        Descriptor = descriptor;
    }

    /// <summary>The number of the descriptor in this process.</summary>
    public int Descriptor { get; }

    /// <inheritdoc/>
    public override string ToString() => $"descriptor {Descriptor}";
}
