namespace PlayChat.Benchmark.Baselines;

/// <summary>A connection in a room of a baseline server.</summary>
internal interface IBaselineMember
{
    /// <summary>Delivers frames in the room's order. Called under the room's lock.</summary>
    void Deliver(ReadOnlyMemory<byte> frames);

    /// <summary>Sends what was delivered. The deliverer calls it after it has released the room's lock.</summary>
    void Flush();
}
