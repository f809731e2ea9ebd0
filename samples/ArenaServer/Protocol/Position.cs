using System.Runtime.InteropServices;

namespace ArenaServer.Protocol;

/// <summary>Where a player is now. It may come after the word that the player has left, and then means nothing.</summary>
/// <param name="PlayerId">Which player.</param>
/// <param name="X">In cells from the left, 0 to below the arena's width.</param>
/// <param name="Y">In cells from the top, 0 to below the arena's height.</param>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal readonly record struct Position(long PlayerId, float X, float Y);
