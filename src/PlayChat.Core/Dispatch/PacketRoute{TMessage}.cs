namespace PlayChat.Core.Dispatch;

/// <summary>A route to a handler of one message.</summary>
internal abstract class PacketRoute<TMessage>(PacketType<TMessage> type) : PacketRoute(type)
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
        ValueTask handling = PlayChatTracing.IsOn ? InvokeTraced(context, message) : InvokeCounted(context, message);
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

    protected abstract ValueTask Invoke(PacketContext context, TMessage message);

    private ValueTask InvokeCounted(PacketContext context, TMessage message) =>
        Figures.IsEnabled && RunsAtOnce ? InvokeMeasured(context, message) : Invoke(context, message);

    private ValueTask InvokeTraced(PacketContext context, TMessage message)
    {
        Activity? before = Activity.Current;
        if (Traces.Begin(Type.Name, message, context.Connection.Id) is not { } span)
        {
            Activity.Current = before;
            return InvokeCounted(context, message);
        }

        ValueTask handling;
        try
        {
            handling = InvokeCounted(context, message);
        }
        catch (Exception e)
        {
            End(span, e);
            Activity.Current = before;
            throw;
        }

        bool isDone = handling.IsCompletedSuccessfully;
        if (isDone)
        {
            End(span, fault: null);
        }

        // The receive loop continues on this thread with packets of other traces.
        Activity.Current = before;
        return isDone ? default : TraceAsync(handling, span);
    }

    private static async ValueTask TraceAsync(ValueTask handling, Activity span)
    {
        Exception? fault = null;
        try
        {
            await handling.ConfigureAwait(false);
        }
        catch (Exception e)
        {
            fault = e;
            throw;
        }
        finally
        {
            End(span, fault);
        }
    }

    private static void End(Activity span, Exception? fault)
    {
        if (fault is not null)
        {
            span.SetStatus(ActivityStatusCode.Error, fault.GetType().Name);
        }

        span.Dispose();
    }

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
