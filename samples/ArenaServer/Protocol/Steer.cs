using System.Runtime.InteropServices;

namespace ArenaServer.Protocol;

/// <summary>Where the player goes until it says otherwise.</summary>
/// <param name="Dx">To the right if above 0, to the left if below.</param>
/// <param name="Dy">Down if above 0, up if below.</param>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal readonly record struct Steer(sbyte Dx, sbyte Dy);
