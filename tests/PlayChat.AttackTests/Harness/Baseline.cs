using PlayChat.RoomProbe;

namespace PlayChat.AttackTests.Harness;

/// <summary>What the room beside an attack felt before it.</summary>
/// <param name="Peace">In peace. Measured only for a table, and then once for each kind of server; null otherwise.</param>
/// <param name="Busy">Beside a machine that was busy with something else.</param>
internal sealed record Baseline(RoomReport? Peace, RoomReport Busy);
