using System.Text.Json.Serialization;

namespace PlayChat.Core.Rooms;

/// <summary>The settings with which a room begins. Only the name is required.</summary>
public sealed class RoomSettings
{
    /// <summary>The room's name. Several rooms may have the same.</summary>
    public required string Name { get; init; }

    /// <summary>
    /// The most members the room takes, spectators not counted, from 1. <see cref="RoomOptions.MaxMembers"/> is the upper limit and the
    /// default.
    /// </summary>
    public int Capacity { get; init; } = int.MaxValue;

    /// <summary>
    /// The most spectators (<see cref="RoomMember.IsSpectator"/>) the room takes besides <see cref="Capacity"/>, from 0 (default).
    /// <see cref="RoomOptions.MaxMembers"/> is the upper limit.
    /// </summary>
    public int SpectatorCapacity { get; init; }

    /// <summary>
    /// Whether the room is left out of <see cref="RoomRegistry.List"/>. A session can still join it by its id. Default false.
    /// </summary>
    public bool IsPrivate { get; init; }

    /// <summary>The password that a join needs; <see langword="null"/> (default) or empty for none. Only its hash is kept.</summary>
    public string? Password { get; init; }

    /// <summary>
    /// The id of the user that owns the room (<see cref="Sessions.SessionUser.Id"/>). The application decides what an owner may do.
    /// </summary>
    public long? OwnerId { get; init; }

    /// <summary>The application's own properties of the room, for lists and filters. Copied; keys are case-sensitive.</summary>
    public IReadOnlyDictionary<string, string> Properties { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>
    /// Whether the nodes of a cluster share the room (<c>UseRoomCluster</c>): each node that creates a room with this name has the same
    /// room. Default false.
    /// </summary>
    public bool IsClustered { get; init; }

    /// <summary>
    /// Whether the room survives a restart of the server (<c>UseRoomStore</c>): its name is then that of no other such room. Default false.
    /// </summary>
    public bool IsPersistent { get; init; }

    /// <summary>
    /// The node of the cluster that is to run the room (<see cref="RoomNode.Name"/>), if it creates the room as well. If it does not within
    /// 3 seconds or is lost, the first node that asks runs the room. <see langword="null"/> (default): the first that asks.
    /// </summary>
    public string? Node { get; init; }

    /// <summary>
    /// Whether the room removes itself after <see cref="Room.OnEmpty"/>: when its last member has left, or a join into the empty room has
    /// failed. Default false.
    /// </summary>
    public bool RemoveWhenEmpty { get; init; }

    /// <summary>In place of <see cref="Password"/>, for a room that was saved.</summary>
    internal byte[]? PasswordHash { get; init; }

    /// <summary>Whether the room begins locked.</summary>
    [JsonInclude]
    internal bool IsLocked { get; init; }
}
