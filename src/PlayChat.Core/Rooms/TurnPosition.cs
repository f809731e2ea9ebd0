namespace PlayChat.Core.Rooms;

/// <summary>A place between two frames of what a room's turn broadcasts.</summary>
/// <param name="Block">In which block.</param>
/// <param name="Bytes">How many of its bytes are before it.</param>
/// <param name="Frames">How many of its frames are before it.</param>
/// <param name="Loose">How many frames that may be lost are before it, in all blocks.</param>
internal readonly record struct TurnPosition(int Block, int Bytes, int Frames, int Loose);
