namespace PlayChat.ClientContract;

/// <summary>A TCP proxy whose connections break when the test says so.</summary>
internal sealed class CuttingProxy : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly List<TcpClient> _ends = new();
    private readonly int _port;
    private volatile bool _isSilent;

    public CuttingProxy(int port)
    {
        _port = port;
        _listener.Start();
        _ = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>Resets the connections that there are.</summary>
    public void Cut()
    {
        lock (_ends)
        {
            foreach (TcpClient end in _ends)
            {
                end.Client?.Close(timeout: 0); // a reset, where Dispose would send the end of the stream first
            }

            _ends.Clear();
        }
    }

    /// <summary>Passes nothing on any more in the connections that there are, as a network does whose cable was pulled.</summary>
    public void Silence() => _isSilent = true;

    public void Dispose()
    {
        _listener.Stop();
        Cut();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                TcpClient near = await _listener.AcceptTcpClientAsync().ConfigureAwait(false);
                var far = new TcpClient();
                await far.ConnectAsync(IPAddress.Loopback, _port).ConfigureAwait(false);
                _isSilent = false; // of those that there were
                lock (_ends)
                {
                    _ends.Add(near);
                    _ends.Add(far);
                }

                _ = PassAsync(near, far);
                _ = PassAsync(far, near);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // the proxy has ended
        }
    }

    private async Task PassAsync(TcpClient from, TcpClient to)
    {
        byte[] buffer = new byte[16 * 1024];
        try
        {
            int received;
            while ((received = await from.GetStream().ReadAsync(buffer, 0, buffer.Length).ConfigureAwait(false)) > 0)
            {
                if (!_isSilent)
                {
                    await to.GetStream().WriteAsync(buffer, 0, received).ConfigureAwait(false);
                }
            }

            to.Client.Shutdown(SocketShutdown.Send);
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or InvalidOperationException)
        {
            to.Dispose(); // a cut is what the test is about
        }
    }
}
