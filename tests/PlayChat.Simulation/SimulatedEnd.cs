using System.Net;
using PlayChat.Core.Transport;

namespace PlayChat.Simulation;

/// <summary>One end of a link: it receives at once or later, and all that is there or a part, as the seed draws it.</summary>
/// <param name="network">The network.</param>
/// <param name="ready">Takes what becomes ready at this end.</param>
/// <param name="remote">The other end.</param>
internal abstract class SimulatedEnd(SimulatedNetwork network, ILocalWorkQueue ready, EndPoint remote) : TransportConnection
{
    private protected readonly SimulatedNetwork _network = network;

    private Operation<int>? _receive;
    private Memory<byte> _receiveBuffer;

    public override EndPoint? RemoteEndPoint => remote;

    public override EndPoint? LocalEndPoint => null;

    /// <summary>Whether a receive would not wait.</summary>
    private protected abstract bool IsReady { get; }

    public override ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        _network.Interrupt();
        if (IsReady && !_network.DrawPart())
        {
            return new ValueTask<int>(Receive(buffer));
        }

        var operation = new Operation<int>(ready);
        if (IsReady)
        {
            operation.Complete(() => Receive(buffer));
        }
        else
        {
            (_receive, _receiveBuffer) = (operation, buffer);
        }

        return operation.Task;
    }

    private protected abstract int Receive(Memory<byte> buffer);

    /// <summary>Completes the receive that waits, if there is one.</summary>
    private protected void CompleteReceive()
    {
        if (_receive is { } receive)
        {
            Memory<byte> buffer = _receiveBuffer;
            (_receive, _receiveBuffer) = (null, default);
            receive.Complete(() => Receive(buffer));
        }
    }
}
