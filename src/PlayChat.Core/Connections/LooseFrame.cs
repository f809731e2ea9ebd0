namespace PlayChat.Core.Connections;

/// <summary>A frame within shared memory that a peer may lose.</summary>
/// <param name="Start">Where in it the frame starts.</param>
/// <param name="Bytes">How long it is, encoded.</param>
/// <param name="Ordinal">How many frames are before it in the memory.</param>
/// <param name="Delivery">What becomes of it.</param>
internal readonly record struct LooseFrame(int Start, int Bytes, int Ordinal, Delivery Delivery);
