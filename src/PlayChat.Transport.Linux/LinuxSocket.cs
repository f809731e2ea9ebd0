using System.Net.Sockets;

namespace PlayChat.Transport.Linux;

/// <summary>Makes, binds, connects and resets sockets. Errors are <see cref="SocketException"/>s, as from the runtime's sockets.</summary>
internal static unsafe class LinuxSocket
{
    /// <summary>Makes a non-blocking TCP socket for the address family of an end point.</summary>
    internal static int Create(EndPoint endPoint, TransportOptions options)
    {
        int family = endPoint is not IPEndPoint ? throw new SocketException((int)SocketError.AddressFamilyNotSupported)
            : endPoint.AddressFamily == AddressFamily.InterNetwork ? Libc.AddressFamilyIPv4 : Libc.AddressFamilyIPv6;
        int fd = Libc.Socket(family, Libc.Stream | Libc.NonBlocking | Libc.CloseOnExec, 0);
        if (fd < 0)
        {
            throw LastError();
        }

        try
        {
            SetOptions(fd, options);
            return fd;
        }
        catch
        {
            _ = Libc.Close(fd);
            throw;
        }
    }

    /// <summary>Prepares a listening TCP socket that another process has made.</summary>
    /// <exception cref="SocketException">The descriptor is no such socket.</exception>
    internal static void TakeOver(int fd, TransportOptions options)
    {
        if (GetOption(fd, Libc.SocketTypeOption) != Libc.Stream
            || GetOption(fd, Libc.SocketFamilyOption) is not (Libc.AddressFamilyIPv4 or Libc.AddressFamilyIPv6))
        {
            throw new SocketException((int)SocketError.SocketNotSupported);
        }

        if (GetOption(fd, Libc.AcceptsConnections) == 0)
        {
            throw new SocketException((int)SocketError.InvalidArgument);
        }

        int flags = Libc.FileControl(fd, Libc.GetStatusFlags, 0);
        if (flags < 0 || Libc.FileControl(fd, Libc.SetStatusFlags, flags | Libc.NonBlocking) < 0)
        {
            throw LastError();
        }

        SetOptions(fd, options);
    }

    internal static void Listen(int fd, IPEndPoint endPoint, TransportOptions options)
    {
        // A restarted server gets its port back at once. The system still refuses two listeners on one port.
        SetOption(fd, Libc.LevelSocket, Libc.ReuseAddress, 1);
        if (endPoint.AddressFamily == AddressFamily.InterNetworkV6)
        {
            SetOption(fd, Libc.LevelIPv6, Libc.OnlyIPv6, options.DualStack ? 0 : 1);
        }

        RawAddress address = RawAddress.From(endPoint);
        if (Libc.Bind(fd, &address, address.Bytes) < 0 || Libc.Listen(fd, options.Backlog) < 0)
        {
            throw LastError();
        }
    }

    /// <summary>Gives the address from which a socket will connect.</summary>
    internal static void BindSource(int fd, in RawAddress source)
    {
        // The port is chosen by the connect, which knows the server: otherwise the port of a connection that has just ended stays taken.
        SetOption(fd, Libc.LevelIPv4, Libc.BindAddressNoPort, 1);
        RawAddress copy = source;
        if (Libc.Bind(fd, &copy, copy.Bytes) < 0)
        {
            throw LastError();
        }
    }

    /// <summary>Starts to connect.</summary>
    /// <returns>Whether the connect is done; otherwise it is under way.</returns>
    internal static bool Connect(int fd, in RawAddress address)
    {
        RawAddress copy = address;
        if (Libc.Connect(fd, &copy, copy.Bytes) == 0)
        {
            return true;
        }

        // An interrupted connect continues in the background as well.
        return Marshal.GetLastPInvokeError() is LinuxErrors.InProgress or LinuxErrors.Interrupted ? false : throw LastError();
    }

    /// <summary>The address of this side; <see langword="null"/> when the link has ended.</summary>
    internal static IPEndPoint? GetLocalEndPoint(int fd)
    {
        RawAddress address = default;
        uint bytes = RawAddress.MaxBytes;
        return Libc.GetSocketName(fd, &address, &bytes) == 0 ? address.ToEndPoint() : null;
    }

    /// <summary>Ends a connection and keeps the file: the peer receives a reset, and the operations that wait are woken.</summary>
    internal static void Reset(int fd)
    {
        // A connect to the unspecified address dissolves a connection on Linux (connect(2)). If the system refuses that, shut both
        // directions.
        RawAddress unspecified = default;
        if (Libc.Connect(fd, &unspecified, RawAddress.IPv4Bytes) < 0)
        {
            _ = Libc.Shutdown(fd, Libc.ShutdownBoth);
        }
    }

    private static void SetOptions(int fd, TransportOptions options)
    {
        SetOption(fd, Libc.LevelTcp, Libc.NoDelay, options.NoDelay ? 1 : 0); // accepted links inherit a listener's options
        if (options.SendBufferBytes > 0)
        {
            SetOption(fd, Libc.LevelSocket, Libc.SendBuffer, options.SendBufferBytes);
        }

        if (options.ReceiveBufferBytes > 0)
        {
            SetOption(fd, Libc.LevelSocket, Libc.ReceiveBuffer, options.ReceiveBufferBytes);
        }
    }

    private static int GetOption(int fd, int option)
    {
        int value;
        uint bytes = sizeof(int);
        return Libc.GetSocketOption(fd, Libc.LevelSocket, option, &value, &bytes) == 0 ? value : throw LastError();
    }

    private static SocketException LastError() => LinuxErrors.ToException(Marshal.GetLastPInvokeError());

    private static void SetOption(int fd, int level, int option, int value)
    {
        if (Libc.SetSocketOption(fd, level, option, value) < 0)
        {
            throw LastError();
        }
    }
}
