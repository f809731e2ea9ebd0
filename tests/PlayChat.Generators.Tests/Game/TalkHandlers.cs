using PlayChat.Core.Dispatch;

namespace PlayChat.Generators.Tests.Game;

/// <summary>Made once; its constructor's arguments are services.</summary>
[RequireLogin, UseFilter(typeof(OuterFilter))]
internal sealed class TalkHandlers(World world)
{
    private readonly TaskCompletionSource _open = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _calls;

    [Packet(PacketId.Greet), UseFilter(typeof(InnerFilter))]
    public void OnGreet(PacketContext context, string message)
    {
        world.Trace.Add("handler");
        context.Reply($"{message} {++_calls}", TextPacket.Answer);
    }

    [Packet(PacketId.Wait), AllowBeforeLogin]
    public async Task OnWait(PacketContext context, string message, CancellationToken cancellationToken)
    {
        _open.TrySetResult();
        await _open.Task.WaitAsync(cancellationToken);
        context.Reply(message, TextPacket.Answer);
    }

    [Packet(PacketId.Limited), RateLimit(1, PerSeconds = 3600)]
    public ValueTask OnLimited(PacketContext context, string message)
    {
        context.Reply(message, TextPacket.Answer);
        return default;
    }

    [Packet(PacketId.Join)]
    public async ValueTask OnJoin(PacketContext context, string message, CancellationToken cancellationToken)
    {
        await world.Arena.JoinAsync(context.Session, cancellationToken: cancellationToken);
        context.Reply(message, TextPacket.Answer);
    }
}
