namespace PlayChat.Benchmark.Pacing;

/// <summary>A client that sends when a <see cref="Pacer"/> tells it to.</summary>
internal interface IPacedSender
{
    /// <summary>Sends the next message. Only the pacer's thread calls it.</summary>
    /// <param name="plannedNanoseconds">The planned time, on the run's clock.</param>
    /// <param name="textBytes">The length of the text.</param>
    /// <returns>False when the connection does not accept it.</returns>
    bool Send(long plannedNanoseconds, int textBytes);
}
