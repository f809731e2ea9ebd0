namespace PlayChat.Benchmark.Ramp;

/// <summary>What a ramp of connections is.</summary>
/// <param name="Connections">How many there are in the end.</param>
/// <param name="Step">How many are added at a time.</param>
/// <param name="StepInterval">Between two steps, in the time of the run.</param>
/// <param name="Bytes">Of each message.</param>
/// <param name="MessageInterval">Between two messages of a connection, in the time of the run.</param>
internal sealed record RampSettings(int Connections, int Step, TimeSpan StepInterval, int Bytes, TimeSpan MessageInterval)
{
    /// <summary>From the first step to the last.</summary>
    public TimeSpan Length => ((Connections - 1) / Step) * StepInterval;
}
