namespace PlayChat.Core.Rooms;

/// <summary>An item of a <see cref="DueHeap{TItem}"/>; it is in one heap at most.</summary>
internal interface IDue
{
    /// <summary>Its index in the heap, -1 if it is in none. Only the heap sets it.</summary>
    int HeapIndex { get; set; }
}
