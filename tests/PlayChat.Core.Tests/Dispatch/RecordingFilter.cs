using PlayChat.Core.Dispatch;

namespace PlayChat.Core.Tests.Dispatch;

/// <summary>Notes what passes, before and after, and does what the test says.</summary>
internal sealed class RecordingFilter(string name, List<string> log) : PacketFilter
{
    internal Func<IncomingPacket, ValueTask>? OnReceive { get; init; }

    internal Func<OutgoingPacket, bool>? OnSending { get; init; }

    internal bool IsForReceived { get; init; } = true;

    internal bool IsForSent { get; init; } = true;

    protected internal override bool SeesReceived => IsForReceived;

    protected internal override bool SeesSent => IsForSent;

    protected internal override async ValueTask OnReceiveAsync(IncomingPacket packet)
    {
        log.Add($"{name} in {packet.Type?.Name ?? "?"}");
        try
        {
            await (OnReceive?.Invoke(packet) ?? packet.NextAsync());
            log.Add($"{name} done");
        }
        catch (FormatException e)
        {
            log.Add($"{name} failed: {e.Message}");
            throw;
        }
    }

    protected internal override bool OnSend(OutgoingPacket packet)
    {
        log.Add($"{name} out {packet.Type.Name} {packet.Message}");
        return OnSending?.Invoke(packet) ?? packet.Next();
    }
}
