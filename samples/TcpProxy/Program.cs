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

await using var server = new PlayChatServer(options =>
    {
        options.ListenTcp(args[0]);
        options.Sessions.IdleTimeout = Timeout.InfiniteTimeSpan; // the two ends decide how long they may be silent
    })
    .OnStream(ForwardAsync);
await server.StartAsync();
Console.WriteLine($"Listening on {server.EndPoints[0]} for {upstream}; Ctrl+C stops it.");
await server.RunAsync();
return 0;

async Task ForwardAsync(Connection connection, IDuplexPipe client, CancellationToken token)
{
    using var socket = new Socket(upstream.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
    await TryAsync(async () =>
    {
        await socket.ConnectAsync(upstream, token);
        await using var stream = new NetworkStream(socket);
        await Task.WhenAll(TryAsync(() => SendAsync(stream)), TryAsync(() => ReceiveAsync(stream)));
    });

    async Task SendAsync(NetworkStream stream)
    {
        await client.Input.CopyToAsync(stream, token);
        socket.Shutdown(SocketShutdown.Send); // passes the client's FIN on
    }

    async Task ReceiveAsync(NetworkStream stream)
    {
        await stream.CopyToAsync(client.Output, token);
        await client.Output.CompleteAsync(); // passes the FIN of the other side on
    }

    async Task TryAsync(Func<Task> step)
    {
        try
        {
            await step();
        }
        catch (Exception e) when (e is IOException or SocketException or OperationCanceledException)
        {
            connection.Abort(); // cancels the token, which ends the other direction as well
        }
    }
}
