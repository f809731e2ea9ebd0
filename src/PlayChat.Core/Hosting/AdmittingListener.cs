namespace PlayChat.Core.Hosting;

/// <summary>A listener that gives only the links which the server lets in.</summary>
/// <param name="listener">Accepts the links. This listener owns it.</param>
/// <param name="admission">Decides about them.</param>
/// <param name="canTell">Whether a refused peer can be told without a handshake.</param>
/// <param name="isAdmittedLater">Whether a link is let in once its client is known; <see langword="null"/> if none is.</param>
internal sealed class AdmittingListener(
    TransportListener listener, Admission admission, bool canTell, Func<TransportConnection, bool>? isAdmittedLater) : TransportListener
{
    public override EndPoint EndPoint => listener.EndPoint;

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))] // an accept for each link, one at a time
    public override async ValueTask<TransportConnection?> AcceptAsync()
    {
        while (true)
        {
            TransportConnection? link = await listener.AcceptAsync().ConfigureAwait(false);
            if (link is null || isAdmittedLater?.Invoke(link) == true || admission.TryEnter(link, canTell))
            {
                return link;
            }
        }
    }

    public override ValueTask DisposeAsync() => listener.DisposeAsync();
}
