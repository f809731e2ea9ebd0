using System.IO.Pipelines;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Buffers;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Connections;

/// <summary>What all connections of a server, or of a connector, have in common.</summary>
internal sealed class ConnectionServices
{
    private PipeOptions? _pipeOptions;

    // One loop writes and reads a connection's pipe, so nobody ever waits on it: it needs no thresholds and no schedulers. What it
    // holds is bounded by the largest frame, because a frame is judged by its header.
    internal PipeOptions PipeOptions => _pipeOptions ??= new PipeOptions(
        Pool,
        readerScheduler: PipeScheduler.Inline,
        writerScheduler: PipeScheduler.Inline,
        pauseWriterThreshold: 0,
        minimumSegmentSize: SegmentPool.ReceiveBytes,
        useSynchronizationContext: false);

    internal required FrameFormat Format { get; init; }

    internal required IConnectionHandler Handler { get; init; }

    internal required ConnectionOptions Options { get; init; }

    internal required SegmentPool Pool { get; init; }

    internal required ServerMetrics Metrics { get; init; }

    internal required TimeProvider Time { get; init; }

    internal required ILogger Logger { get; init; }
}
