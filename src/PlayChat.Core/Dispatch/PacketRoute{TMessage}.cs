using System.Diagnostics;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Dispatch;

/// <summary>A route to a handler of one message.</summary>
internal abstract partial class PacketRoute<TMessage>(PacketType<TMessage> type) : PacketRoute(type)
{
    private readonly PacketType<TMessage> _type = type;

    /// <summary>Whether the handler runs within <see cref="Invoke"/>. One that runs later, in a room's turn, is measured there.</summary>
    protected virtual bool RunsAtOnce => true;

    internal sealed override bool TryHandle(PacketContext context, in Frame frame, out ValueTask handling)
    {
        if (!_type.TryDecode(in frame, out TMessage? message))
        {
            handling = default;
            return false;
        }

        handling = Handle(context, message);
        return true;
    }

    internal sealed override ValueTask HandleObject(PacketContext context, object message) => Handle(context, (TMessage)message);

    /// <summary>Calls the handler, and takes back the message of a transient type when it is done.</summary>
    private ValueTask Handle(PacketContext context, TMessage message)
    {
        ValueTask handling = Figures.IsEnabled && RunsAtOnce ? InvokeMeasured(context, message) : Invoke(context, message);
        if (!_type.IsTransient)
        {
            return handling;
        }

        if (!handling.IsCompletedSuccessfully)
        {
            return ReturnAsync(handling, message);
        }

        _type.Return(message);
        return default;
    }

    /// <summary>Calls the handler.</summary>
    protected abstract ValueTask Invoke(PacketContext context, TMessage message);

    private ValueTask InvokeMeasured(PacketContext context, TMessage message)
    {
        long began = Stopwatch.GetTimestamp();
        ValueTask handling;
        try
        {
            handling = Invoke(context, message);
        }
        catch
        {
            Figures.Record(began, hasFailed: true);
            throw;
        }

        if (!handling.IsCompletedSuccessfully)
        {
            return MeasureAsync(handling, began);
        }

        Figures.Record(began, hasFailed: false);
        return default;
    }

    // A handler that ended because its sender has gone did not fail.
    private async ValueTask MeasureAsync(ValueTask handling, long began)
    {
        bool hasFailed = false;
        try
        {
            await handling.ConfigureAwait(false);
        }
        catch (Exception e) when (e is not OperationCanceledException and not ConnectionClosedException)
        {
            hasFailed = true;
            throw;
        }
        finally
        {
            Figures.Record(began, hasFailed);
        }
    }

    private async ValueTask ReturnAsync(ValueTask handling, TMessage message)
    {
        await handling.ConfigureAwait(false);
        _type.Return(message); // not if the handler failed: it may still be in use, so the collector takes it
    }

    internal sealed class Synchronous(PacketType<TMessage> type, Action<PacketContext, TMessage> handler) : PacketRoute<TMessage>(type)
    {
        protected override ValueTask Invoke(PacketContext context, TMessage message)
        {
            handler(context, message);
            return default;
        }
    }

    internal sealed class Asynchronous(PacketType<TMessage> type, Func<PacketContext, TMessage, CancellationToken, ValueTask> handler)
        : PacketRoute<TMessage>(type)
    {
        protected override ValueTask Invoke(PacketContext context, TMessage message) =>
            handler(context, message, context.Connection.Aborted);
    }
}
