using System.ComponentModel;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace PlayChat.TestUtilities.Processes;

/// <summary>A listening socket that this process holds and others may use: what a service manager does. Linux.</summary>
public sealed class SharedListener : IDisposable
{
    private const int Backlog = 4096;

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    /// <summary>Listens on a free port of the loopback, or holds a socket that does not listen.</summary>
    public SharedListener(bool listens = true)
    {
        _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        if (listens)
        {
            _socket.Listen(Backlog);
        }
    }

    /// <summary>Why a test is skipped elsewhere.</summary>
    public static string SkipReason => "Descriptors of other processes need Linux.";

    /// <summary>Its address.</summary>
    public IPEndPoint EndPoint => (IPEndPoint)_socket.LocalEndPoint!;

    /// <summary>Makes a further descriptor, which the processes that this one starts inherit. The caller closes it.</summary>
    public int Duplicate()
    {
        int descriptor = Dup((int)_socket.Handle);
        return descriptor >= 0 ? descriptor : throw new Win32Exception(Marshal.GetLastPInvokeError());
    }

    /// <summary>Closes what <see cref="Duplicate"/> made.</summary>
    /// <returns>Whether it was open.</returns>
    public static bool Close(int descriptor) => CloseFile(descriptor) == 0;

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();

    [DllImport("libc", EntryPoint = "dup", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static extern int Dup(int descriptor);

    [DllImport("libc", EntryPoint = "close", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static extern int CloseFile(int descriptor);
}
