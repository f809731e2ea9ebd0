using System.Net;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>A backlog with so many links in it, and nobody who comes later.</summary>
internal sealed class RushListener(int links) : TransportListener
{
    private readonly TaskCompletionSource<TransportConnection?> _disposed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _accepted;

    public override EndPoint EndPoint { get; } = new IPEndPoint(IPAddress.Loopback, 7000);

    internal IReadOnlyList<StubLink> Links { get; } = [.. Enumerable.Range(0, links).Select(static _ => new StubLink())];

    internal int Accepted => Volatile.Read(ref _accepted);

    public override ValueTask<TransportConnection?> AcceptAsync() => _accepted < Links.Count
        ? new ValueTask<TransportConnection?>(Links[_accepted++])
        : new ValueTask<TransportConnection?>(_disposed.Task);

    public override ValueTask DisposeAsync()
    {
        _disposed.TrySetResult(null);
        return ValueTask.CompletedTask;
    }
}
