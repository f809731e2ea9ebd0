using System.Collections;
using System.Net.Sockets;
using PlayChat.Addresses;

namespace PlayChat.Chat.Configuration;

/// <summary>The listening sockets that a service manager has passed to this process: socket activation of systemd.</summary>
/// <remarks>
/// <para>The environment says how many there are, and descriptor 3 is the first (sd_listen_fds(3)).</para>
/// <para>An endpoint uses the socket that is bound to its address, so the configuration is the same with and without them.</para>
/// </remarks>
internal sealed class PassedSockets
{
    private const int FirstDescriptor = 3; // SD_LISTEN_FDS_START

    private readonly List<(int Descriptor, string Name, IPEndPoint Address)> _unused = [];

    /// <summary>Reads what the environment says. Variables that are meant for another process count as missing.</summary>
    /// <exception cref="StartException">A descriptor is no TCP socket.</exception>
    public static PassedSockets Read(IDictionary environment)
    {
        var sockets = new PassedSockets();
        if (!OperatingSystem.IsLinux()
            || environment["LISTEN_PID"] as string != Environment.ProcessId.ToString(CultureInfo.InvariantCulture)
            || !int.TryParse(environment["LISTEN_FDS"] as string, NumberStyles.None, CultureInfo.InvariantCulture, out int count))
        {
            return sockets;
        }

        string[] names = (environment["LISTEN_FDNAMES"] as string ?? "").Split(':');
        for (int i = 0; i < count; i++)
        {
            int descriptor = FirstDescriptor + i;
            string name = names.ElementAtOrDefault(i) is { Length: > 0 } given ? given : "unnamed";
            sockets._unused.Add((descriptor, name, AddressOf(descriptor, name)));
        }

        return sockets;
    }

    /// <summary>Whether there is a socket for an address that no endpoint uses yet.</summary>
    public bool Has(string address) => Find(address) >= 0;

    /// <summary>Gives the operations endpoint, if it is enabled, the socket that is bound to its address.</summary>
    public void GiveTo(OperationsSettings operations)
    {
        if (operations.Enabled)
        {
            operations.Descriptor = Take(operations.Address);
        }
    }

    /// <summary>Gives each endpoint the socket that is bound to its address. The last call: it checks that no socket is left.</summary>
    /// <exception cref="StartException">A socket is left over, so its clients would wait without an answer.</exception>
    public void GiveTo(PlayChatOptions options)
    {
        foreach (EndpointOptions endpoint in options.Endpoints)
        {
            if (Take(endpoint.Address) is { } descriptor)
            {
                endpoint.UseDescriptor(descriptor);
            }
        }

        if (_unused.Count > 0)
        {
            (int descriptor, string name, IPEndPoint address) = _unused[0];
            throw new StartException(
                $"The service manager has passed the socket {name} (descriptor {descriptor}), which listens on {address}, but no endpoint "
                    + "has that address. The endpoints have "
                    + $"{string.Join(", ", options.Endpoints.Select(static endpoint => endpoint.Address))}. "
                    + "Change ListenStream= in the socket unit or the endpoint's Address.");
        }
    }

    private static IPEndPoint AddressOf(int descriptor, string name)
    {
        try
        {
            using var handle = new SafeSocketHandle(descriptor, ownsHandle: false);
            using var socket = new Socket(handle);
            if (socket is { SocketType: SocketType.Stream, LocalEndPoint: IPEndPoint address })
            {
                return address;
            }
        }
        catch (SocketException)
        {
            // Not a socket. The message below says so.
        }

        throw new StartException(
            $"The service manager has passed {name} as descriptor {descriptor}, which is not a TCP socket. The server takes sockets of "
                + "ListenStream= with a port.");
    }

    private int? Take(string address)
    {
        int index = Find(address);
        if (index < 0)
        {
            return null;
        }

        int descriptor = _unused[index].Descriptor;
        _unused.RemoveAt(index);
        return descriptor;
    }

    private int Find(string address) =>
        ListenAddress.TryParse(address, out IPEndPoint? endPoint) ? _unused.FindIndex(socket => socket.Address.Equals(endPoint)) : -1;
}
