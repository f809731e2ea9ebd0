using Microsoft.Extensions.Logging;
using PlayChat.Core.Buffers;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Connections;

/// <summary>What all connections of a server, or of a connector, have in common.</summary>
internal sealed class ConnectionServices
{
    internal required FrameFormat Format { get; init; }

    /// <summary>What messages are sent as; none by default.</summary>
    internal PacketSet Packets { get; init; } = new();

    /// <summary>What messages pass on their way out; <see langword="null"/> when nothing wants to see them.</summary>
    internal PacketOutlet? Outlet { get; set; }

    internal required IConnectionHandler Handler { get; init; }

    internal required ConnectionOptions Options { get; init; }

    internal required SegmentPool Pool { get; init; }

    internal required ServerMetrics Metrics { get; init; }

    internal required TimeProvider Time { get; init; }

    internal required ILogger Logger { get; init; }
}
