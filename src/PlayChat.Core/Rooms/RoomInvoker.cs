namespace PlayChat.Core.Rooms;

/// <summary>Runs an item with the types with which it was posted, so that a post needs no boxing and no closure.</summary>
internal abstract class RoomInvoker
{
    /// <summary>What runs the item: itself, or what it wraps.</summary>
    internal virtual RoomInvoker? Inner => this;

    internal abstract void Invoke(Room room, in RoomItem item);

    /// <summary>Names an item in a log.</summary>
    internal virtual string NameOf(in RoomItem item) => Inner is { } inner && inner != this
        ? inner.NameOf(in item)
        : (item.First as Delegate ?? item.Job) is { } job // the first argument is the job where a post wraps it
            ? $"A job ({DelegateName.Of(job)})"
            : "A job";

    /// <summary>Encodes the message of an item, to hand it to the room's owner in a cluster.</summary>
    /// <returns><see langword="false"/> if the item is no received message.</returns>
    internal virtual bool TryEncode(in RoomItem item, out byte[] body)
    {
        body = [];
        return false;
    }

    /// <summary>The job with a name that it runs; <see langword="null"/> if it runs something else.</summary>
    internal virtual RoomJob? NamedJob => null;

    /// <summary>Reads a message that another node has encoded.</summary>
    /// <returns><see langword="null"/> if it is none for this room.</returns>
    internal virtual object? TryDecode(Room room, in Frame frame) => null;

    internal class Of<TRoom, TArgument> : RoomInvoker
        where TRoom : Room
        where TArgument : class?
    {
        internal static readonly Of<TRoom, TArgument> Instance = new();

        // The types are those of the post that created the item, so no cast is checked.
        internal override void Invoke(Room room, in RoomItem item) =>
            Unsafe.As<Action<TRoom, TArgument>>(item.Job!)(Unsafe.As<TRoom>(room), Unsafe.As<TArgument>(item.First)!);
    }
}
