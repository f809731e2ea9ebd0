namespace PlayChat.Core.Dispatch;

/// <summary>A message that may say which span of its sender it belongs to; see <see cref="PacketRouter.ContinueTraces"/>.</summary>
/// <remarks>A class that a protobuf compiler writes is partial: implement the interface in a part of your own.</remarks>
public interface ITracedMessage
{
    /// <summary>The sender's span as <see cref="Activity.Id"/> writes it (W3C Trace Context, traceparent); empty for none.</summary>
    string TraceParent { get; }
}
