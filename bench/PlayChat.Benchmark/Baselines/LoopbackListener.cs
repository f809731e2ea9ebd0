using System.Net;
using System.Net.Sockets;

namespace PlayChat.Benchmark.Baselines;

/// <summary>Makes the listening socket of those baselines that work with sockets themselves.</summary>
internal static class LoopbackListener
{
    public static Socket Listen(int port)
    {
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, port));
        listener.Listen(BaselineSettings.Backlog);
        return listener;
    }

    public static int Port(Socket listener) => ((IPEndPoint)listener.LocalEndPoint!).Port;
}
