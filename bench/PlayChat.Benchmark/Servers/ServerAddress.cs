using PlayChat.Addresses;

namespace PlayChat.Benchmark.Servers;

internal sealed record ServerAddress(string Host, int Port)
{
    /// <summary>Parses <c>HOST:PORT</c>, with an IPv6 address in brackets.</summary>
    public static ServerAddress Parse(string text, string option = "--connect")
    {
        return HostPort.TryParse(text, out string? host, out ushort port)
            ? new ServerAddress(host, port)
            : throw new UsageException($"{option} takes HOST:PORT, such as 127.0.0.1:7777 or [::1]:7777, not '{text}'.");
    }

    /// <summary>A port that nothing listens on now, for a server that must know its own before it starts.</summary>
    public static int FindFreePort()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }

    public override string ToString() => Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]:{Port}" : $"{Host}:{Port}";
}
