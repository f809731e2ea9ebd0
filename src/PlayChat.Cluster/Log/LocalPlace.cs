namespace PlayChat.Cluster.Log;

/// <summary>A batch's place in a <see cref="LocalLog"/>.</summary>
internal readonly record struct LocalPlace(uint Epoch, long Offset);
