using System.Net;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Transport;

namespace PlayChat.Simulation;

/// <summary>The network of a world. Links are as bad as their conditions; the seed draws every delay and every partial read.</summary>
internal sealed class SimulatedNetwork(Dice dice, SimulatedClock clock, ILocalWorkQueue ready) : ITransport
{
    private Listener? _listener;
    private int _lastPort;

    internal SimulatedClock Clock => clock;

    /// <summary>Takes what becomes ready at the server's end of a link.</summary>
    internal ILocalWorkQueue Ready => ready;

    /// <summary>Takes what becomes ready at the client's end of a link.</summary>
    internal ILocalWorkQueue ClientReady => Clients ?? ready;

    /// <summary>Takes it, if the clients are not in the process of the server.</summary>
    internal ILocalWorkQueue? Clients { get; init; }

    /// <summary>Lets another thread run an item now and then, in the middle of an operation.</summary>
    internal Action Interrupt { get; init; } = static () => { };

    /// <summary>Lets a new link enter the server.</summary>
    internal Action<Action> Enter { get; set; } = static action => action();

    internal Dice Dice => dice;

    internal Readiness Readiness { get; set; }

    /// <summary>The longest latency of a send.</summary>
    internal TimeSpan MaxDelay { get; set; }

    /// <summary>The probability that a send is held up for seconds, and with it everything behind it.</summary>
    internal double Stalls { get; set; }

    /// <summary>The probability that an operation takes only a part, or does not complete at once.</summary>
    internal double Parts { get; set; }

    /// <summary>The most bytes that the server's end of a link receives at once.</summary>
    internal int ReceiveBytes { get; set; } = int.MaxValue;

    /// <summary>The bytes that a direction of a link holds.</summary>
    internal int LinkBytes { get; set; } = 64 * 1024;

    internal long StallCount { get; private set; }

    internal long PartCount { get; set; }

    /// <summary>The sends that were under way when their link ended.</summary>
    internal long FailedSends { get; set; }

    /// <summary>Changes the bytes of a send before they leave. For broken variants.</summary>
    internal Func<SimulatedLink, byte[], byte[]>? Filter { get; set; }

    /// <summary>The links whose server's end is not disposed.</summary>
    internal HashSet<SimulatedLink> Open { get; } = [];

    public TransportListener Listen(EndPoint endPoint, TransportOptions options, ILogger? logger = null) =>
        _listener = new Listener(endPoint);

    public ValueTask<TransportConnection> ConnectAsync(
        EndPoint endPoint, TransportOptions options, ILogger? logger = null, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException("Clients of a world connect by Connect.");

    /// <summary>Connects a client.</summary>
    /// <returns><see langword="null"/> if no server listens.</returns>
    internal SimulatedLink? Connect()
    {
        if (_listener is not { IsOpen: true } listener)
        {
            return null;
        }

        int number = ++_lastPort;
        var client = new IPEndPoint(new IPAddress([10, 0, 0, (byte)(1 + (number % 200))]), 1024 + (number % 60_000));
        var link = new SimulatedLink(this, client);
        Open.Add(link);
        clock.After(DrawDelay(), () => Enter(() => listener.Offer(link)));
        return link;
    }

    internal TimeSpan DrawDelay()
    {
        if (Stalls > 0 && dice.Chance(Stalls))
        {
            StallCount++;
            return dice.Between(0.5, 20);
        }

        return MaxDelay == TimeSpan.Zero ? TimeSpan.Zero : TimeSpan.FromMilliseconds(dice.Next((int)MaxDelay.TotalMilliseconds + 1));
    }

    /// <summary>Whether an operation is to take only a part, or to complete later.</summary>
    internal bool DrawPart()
    {
        if (Parts > 0 && dice.Chance(Parts))
        {
            PartCount++;
            return true;
        }

        return false;
    }

    private sealed class Listener(EndPoint endPoint) : TransportListener
    {
        private readonly Channel<TransportConnection> _waiting = Channel.CreateUnbounded<TransportConnection>();

        public override EndPoint EndPoint => endPoint;

        internal bool IsOpen { get; private set; } = true;

        public override async ValueTask<TransportConnection?> AcceptAsync() =>
            await _waiting.Reader.WaitToReadAsync().ConfigureAwait(false) && _waiting.Reader.TryRead(out TransportConnection? link)
                ? link
                : null;

        public override ValueTask DisposeAsync()
        {
            IsOpen = false;
            _waiting.Writer.TryComplete();
            while (_waiting.Reader.TryRead(out TransportConnection? link))
            {
                link.Abort();
                link.Dispose();
            }

            return ValueTask.CompletedTask;
        }

        internal void Offer(SimulatedLink link)
        {
            if (!_waiting.Writer.TryWrite(link))
            {
                link.Abort();
                link.Dispose();
            }

        }
    }
}
