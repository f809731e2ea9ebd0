namespace PlayChat.Testing;

/// <summary>A <see cref="RoomSimulation{TRoom}"/> has found a seed that fails. The message has its shortened history.</summary>
public sealed class RoomSimulationException : Exception
{
    internal RoomSimulationException(string message, int seed, Exception? inner = null)
        : base(message, inner) => Seed = seed;

    /// <summary>The seed.</summary>
    public int Seed { get; }
}
