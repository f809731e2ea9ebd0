using System.Runtime.CompilerServices;

namespace PlayChat.Core.Rooms;

/// <summary>Calls a job with the types it was posted with, so that posting boxes and captures nothing.</summary>
internal abstract class RoomInvoker
{
    internal abstract void Invoke(Room room, Delegate job, object? first, object? second);

    internal sealed class Of<TRoom, TFirst, TSecond> : RoomInvoker
        where TRoom : Room
        where TFirst : class?
        where TSecond : class?
    {
        internal static readonly Of<TRoom, TFirst, TSecond> Instance = new();

        // The types are those of the post that made the item, so nothing is left to check.
        internal override void Invoke(Room room, Delegate job, object? first, object? second) =>
            Unsafe.As<Action<TRoom, TFirst, TSecond>>(job)(
                Unsafe.As<TRoom>(room), Unsafe.As<TFirst>(first)!, Unsafe.As<TSecond>(second)!);
    }
}
