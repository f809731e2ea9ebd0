using System.Net;
using PlayChat.Core.Connections;

namespace PlayChat.Core.Tests.Connections;

/// <summary>Notes what a part asks of its connection, of which there is none.</summary>
internal sealed class RecordingControl : IConnectionControl
{
    internal List<string> Calls { get; } = [];

    public long Id => 7;

    public EndPoint? RemoteEndPoint => null;

    public Connection Connection => null!; // the handlers of these tests do not look at it

    public CloseReason CloseReason { get; init; }

    public CancellationToken Aborted { get; init; }

    public void Close(CloseReason reason = CloseReason.LocalClose) => Calls.Add($"close {reason}");

    public void TellAndClose(CloseReason reason) => Calls.Add($"tell and close {reason}");

    public void Abort(CloseReason reason = CloseReason.LocalClose) => Calls.Add($"abort {reason}");

    public void SetReason(CloseReason reason) => Calls.Add($"reason {reason}");

    public void OnDelivered() => Calls.Add("delivered");

    public void OnEnded() => Calls.Add("ended");
}
