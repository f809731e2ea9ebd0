using PlayChat.Cluster.Log;

namespace PlayChat.Cluster.Directory;

/// <summary>A batch's place in a <see cref="LocalLog"/>.</summary>
internal readonly record struct LocalPlace(uint Epoch, long Offset);
