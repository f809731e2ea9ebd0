namespace PlayChat.Core.Rooms;

/// <summary>A position between two frames that a room's turn broadcasts.</summary>
/// <param name="Block">The index of the block.</param>
/// <param name="Bytes">The bytes of the block before the position.</param>
/// <param name="Frames">The number of frames of the block before the position.</param>
/// <param name="Loose">The number of frames before the position, in all blocks, that a slow member may lose.</param>
internal readonly record struct TurnPosition(int Block, int Bytes, int Frames, int Loose);
