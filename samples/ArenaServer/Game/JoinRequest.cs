using ArenaServer.Protocol;

namespace ArenaServer.Game;

/// <summary>What the room is asked, and by which request, so that it can answer before it tells anything else.</summary>
internal sealed record JoinRequest(Join Join, ushort RequestId = 0);
