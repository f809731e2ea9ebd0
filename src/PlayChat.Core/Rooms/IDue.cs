namespace PlayChat.Core.Rooms;

/// <summary>Something that stands in a <see cref="DueHeap{TItem}"/>, at most in one.</summary>
internal interface IDue
{
    /// <summary>Where it stands; -1 when it does not. The heap's.</summary>
    int Place { get; set; }
}
