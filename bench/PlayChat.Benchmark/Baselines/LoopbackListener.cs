using System.Net;
using System.Net.Sockets;

namespace PlayChat.Benchmark.Baselines;

/// <summary>Makes the listening socket of those baselines that work with sockets themselves.</summary>
internal static class LoopbackListener
{
    /// <summary>How long an accept that failed is not tried again, so that a lasting cause takes no processor.</summary>
    public static readonly TimeSpan AfterError = TimeSpan.FromMilliseconds(10);

    public static Socket Listen(int port)
    {
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, port));
        listener.Listen(BaselineSettings.Backlog);
        return listener;
    }

    public static int Port(Socket listener) => ((IPEndPoint)listener.LocalEndPoint!).Port;
}
