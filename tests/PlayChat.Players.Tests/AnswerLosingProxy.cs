using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace PlayChat.Players.Tests;

/// <summary>Stands between Npgsql and PostgreSQL, and breaks a connection when the server has answered a commit, before the client gets
/// the answer: the transaction has happened, and its client cannot know.</summary>
internal sealed class AnswerLosingProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly int _serverPort;
    private readonly ConcurrentBag<TcpClient> _sockets = [];
    private readonly Task _accepting;
    private int _toLose;

    public AnswerLosingProxy(int serverPort)
    {
        _serverPort = serverPort;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>Loses the answer to the next commit.</summary>
    public void LoseNext() => Interlocked.Increment(ref _toLose);

    public async ValueTask DisposeAsync()
    {
        _listener.Dispose();
        await _accepting;
        foreach (TcpClient socket in _sockets)
        {
            socket.Dispose();
        }
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                TcpClient client = await _listener.AcceptTcpClientAsync();
                var server = new TcpClient(AddressFamily.InterNetwork) { NoDelay = true };
                client.NoDelay = true;
                _sockets.Add(client);
                _sockets.Add(server);
                await server.ConnectAsync(IPAddress.Loopback, _serverPort);
                var isLosing = new TaskCompletionSource();
                _ = PassOnAsync(client, server, isLosing, isFromClient: true);
                _ = PassOnAsync(server, client, isLosing, isFromClient: false);
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // Disposed.
        }
    }

    private async Task PassOnAsync(TcpClient from, TcpClient to, TaskCompletionSource isLosing, bool isFromClient)
    {
        byte[] buffer = new byte[64 * 1024];
        try
        {
            while (await from.GetStream().ReadAsync(buffer) is var count and > 0)
            {
                if (isFromClient && buffer.AsSpan(0, count).IndexOf("COMMIT\0"u8) >= 0 && Interlocked.Exchange(ref _toLose, 0) > 0)
                {
                    isLosing.SetResult(); // before the server can answer
                }
                else if (!isFromClient && isLosing.Task.IsCompleted)
                {
                    to.Client.Close(0);
                    from.Client.Close(0);
                    return;
                }

                await to.GetStream().WriteAsync(buffer.AsMemory(0, count));
            }
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException or InvalidOperationException)
        {
            // One side has gone, so the other one goes.
        }

        to.Dispose();
    }
}
