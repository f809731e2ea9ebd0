using System.Net;
using System.Net.Sockets;

namespace PlayChat.TestUtilities.Processes;

/// <summary>A port of the loopback that the system gives to no other program, for a server that must know its port before it starts, or
/// gets it again after a restart.</summary>
/// <remarks>
/// Outside of Windows a socket without a listener holds it: a server that is told the number can listen beside it, because both have
/// SO_REUSEADDR. Windows has no such thing; there the port is free when this is made.
/// </remarks>
public sealed class ReservedPort : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    /// <summary>Reserves a port.</summary>
    /// <param name="number">Which; 0 for any that is free.</param>
    /// <exception cref="SocketException">It is taken.</exception>
    public ReservedPort(int number = 0)
    {
        try
        {
            _socket.Bind(new IPEndPoint(IPAddress.Loopback, number)); // sets SO_REUSEADDR outside of Windows
            Number = ((IPEndPoint)_socket.LocalEndPoint!).Port;
        }
        catch
        {
            _socket.Dispose();
            throw;
        }

        if (OperatingSystem.IsWindows())
        {
            _socket.Dispose();
        }
    }

    /// <summary>The port.</summary>
    public int Number { get; }

    /// <summary>Reserves ports that follow each other.</summary>
    public static ReservedPort[] InARow(int count)
    {
        while (true)
        {
            List<ReservedPort> ports = [new()];
            try
            {
                while (ports.Count < count)
                {
                    ports.Add(new ReservedPort(ports[0].Number + ports.Count));
                }

                return [.. ports];
            }
            catch (Exception e) when (e is SocketException or ArgumentOutOfRangeException)
            {
                // One of them is taken, or behind the last one: look elsewhere.
                ports.ForEach(static port => port.Dispose());
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();
}
