namespace PlayChat.Simulation;

/// <summary>Kinds of faults of a world.</summary>
[Flags]
internal enum Faults
{
    None = 0,
    Delays = 1,
    Stalls = 2,
    Parts = 4,
    LateWork = 8,
    Overtaking = 16,
    Breaks = 32,
    ClockSteps = 64,
    Attacks = 128,
    SlowReaders = 256,
    All = 511,
}
