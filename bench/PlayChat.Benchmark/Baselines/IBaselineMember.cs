namespace PlayChat.Benchmark.Baselines;

/// <summary>A connection in a room of a baseline server.</summary>
internal interface IBaselineMember
{
    /// <summary>Gives it frames, in the room's order: under the room's lock.</summary>
    void Deliver(ReadOnlyMemory<byte> frames);

    /// <summary>Sends what was delivered: after the room's lock, by whoever delivered it.</summary>
    void Flush();
}
