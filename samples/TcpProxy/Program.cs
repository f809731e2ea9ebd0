using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using PlayChat.Core.Connections;
using PlayChat.Core.Hosting;

if (args.Length != 2 || !IPEndPoint.TryParse(args[1], out IPEndPoint? upstream))
{
    Console.Error.WriteLine("Usage: TcpProxy LISTEN_ADDRESS:PORT UPSTREAM_ADDRESS:PORT");
    return 2;
}

await using PlayChatServer server = new PlayChatServer(options => options.ListenTcp(args[0])).OnStream(ForwardAsync);
server.Options.Sessions.IdleTimeout = Timeout.InfiniteTimeSpan; // the two ends decide how long they may be silent
await server.StartAsync();
Console.WriteLine($"Listening on {server.EndPoints[0]} for {upstream}; Ctrl+C stops it.");
await server.RunAsync();
return 0;

async Task ForwardAsync(Connection connection, IDuplexPipe client, CancellationToken token)
{
    using var socket = new Socket(upstream.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
    Task connecting = socket.ConnectAsync(upstream, token).AsTask();
    await Task.WhenAll(
        CopyAsync(stream => client.Input.CopyToAsync(stream, token), () => socket.Shutdown(SocketShutdown.Send)),
        CopyAsync(stream => stream.CopyToAsync(client.Output, token), () => client.Output.Complete()));

    async Task CopyAsync(Func<NetworkStream, Task> copy, Action passEndOn)
    {
        try
        {
            await connecting;
            await copy(new NetworkStream(socket));
            passEndOn(); // as a FIN
        }
        catch (Exception e) when (e is IOException or SocketException or OperationCanceledException)
        {
            connection.Abort(); // cancels the token, which ends the other direction as well
        }
    }
}
