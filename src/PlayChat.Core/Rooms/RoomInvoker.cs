using System.Runtime.CompilerServices;

namespace PlayChat.Core.Rooms;

/// <summary>Runs an item with the types with which it was posted, so that a post needs no boxing and no closure.</summary>
internal abstract class RoomInvoker
{
    internal abstract void Invoke(Room room, in RoomItem item);

    internal sealed class Of<TRoom, TArgument> : RoomInvoker
        where TRoom : Room
        where TArgument : class?
    {
        internal static readonly Of<TRoom, TArgument> Instance = new();

        // The types are those of the post that created the item, so no cast is checked.
        internal override void Invoke(Room room, in RoomItem item) =>
            Unsafe.As<Action<TRoom, TArgument>>(item.Job!)(Unsafe.As<TRoom>(room), Unsafe.As<TArgument>(item.First)!);
    }
}
