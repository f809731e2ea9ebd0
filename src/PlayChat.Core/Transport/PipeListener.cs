using System.Threading.Channels;

namespace PlayChat.Core.Transport;

/// <summary>Gives out the links that <see cref="PipeTransport"/> makes.</summary>
internal sealed class PipeListener(EndPoint endPoint, int backlog, Action<PipeListener> disposed) : TransportListener
{
    private readonly Channel<PipeConnection> _waiting =
        Channel.CreateBounded<PipeConnection>(new BoundedChannelOptions(backlog) { SingleReader = false });

    public override EndPoint EndPoint => endPoint;

    public override async ValueTask<TransportConnection?> AcceptAsync()
    {
        while (await _waiting.Reader.WaitToReadAsync().ConfigureAwait(false))
        {
            if (_waiting.Reader.TryRead(out PipeConnection? link))
            {
                return link;
            }
        }

        return null;
    }

    public override ValueTask DisposeAsync()
    {
        disposed(this);
        _waiting.Writer.TryComplete();
        while (_waiting.Reader.TryRead(out PipeConnection? link))
        {
            link.Abort();
            link.Dispose();
        }

        return ValueTask.CompletedTask;
    }

    /// <summary>Lets a link wait for the server, when there is room.</summary>
    /// <returns><see langword="false"/> when the listener has been disposed; the caller then still owns the link.</returns>
    internal async ValueTask<bool> TryOfferAsync(PipeConnection link)
    {
        while (await _waiting.Writer.WaitToWriteAsync().ConfigureAwait(false))
        {
            if (_waiting.Writer.TryWrite(link))
            {
                return true;
            }
        }

        return false;
    }
}
