namespace PlayChat.TestUtilities.Hostile;

/// <summary>A packet as it came over the wire.</summary>
/// <param name="Id">Its packet id.</param>
/// <param name="RequestId">What it answers; 0 for nothing.</param>
/// <param name="Payload">Not decoded.</param>
public readonly record struct RawPacket(ushort Id, ushort RequestId, byte[] Payload);
