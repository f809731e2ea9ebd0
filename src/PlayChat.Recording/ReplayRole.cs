namespace PlayChat.Recording;

/// <summary>What a room is in a replay: itself, but what it sends goes nowhere.</summary>
/// <param name="isClustered">Whether a cluster shared it.</param>
internal sealed class ReplayRole(bool isClustered) : RoomRole
{
    internal override bool IsClustered => isClustered;

    internal override RoomUplink CreateUplink(RoomServices services) => new ReplayUplink(services.Format);
}
