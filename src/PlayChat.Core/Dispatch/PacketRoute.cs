using PlayChat.Core.Framing;

namespace PlayChat.Core.Dispatch;

/// <summary>What is behind one packet id.</summary>
internal abstract class PacketRoute(string name, bool beforeLogin)
{
    internal string Name { get; } = name;

    /// <summary>Whether an anonymous session may send it.</summary>
    internal bool BeforeLogin { get; } = beforeLogin;

    /// <summary>Decodes and handles.</summary>
    /// <param name="context">Who sent it.</param>
    /// <param name="frame">What was sent.</param>
    /// <param name="handling">The handler's work.</param>
    /// <returns><see langword="false"/> when the body is no such message.</returns>
    internal abstract bool TryHandle(PacketContext context, in Frame frame, out ValueTask handling);

    internal sealed class Synchronous<TMessage>(PacketType<TMessage> type, Action<PacketContext, TMessage> handler, bool beforeLogin)
        : PacketRoute(type.Name, beforeLogin)
    {
        internal override bool TryHandle(PacketContext context, in Frame frame, out ValueTask handling)
        {
            handling = default;
            if (!type.TryDecode(in frame, out TMessage? message))
            {
                return false;
            }

            handler(context, message);
            return true;
        }
    }

    internal sealed class Asynchronous<TMessage>(
        PacketType<TMessage> type, Func<PacketContext, TMessage, CancellationToken, ValueTask> handler, bool beforeLogin)
        : PacketRoute(type.Name, beforeLogin)
    {
        internal override bool TryHandle(PacketContext context, in Frame frame, out ValueTask handling)
        {
            if (!type.TryDecode(in frame, out TMessage? message))
            {
                handling = default;
                return false;
            }

            handling = handler(context, message, context.Connection.Aborted);
            return true;
        }
    }
}
