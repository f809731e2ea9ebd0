namespace PlayChat.Benchmark.Chat;

/// <summary>Who sends when a <see cref="Pacer"/> says so.</summary>
internal interface IPacedSender
{
    /// <summary>Sends its next message. The pacer's thread alone.</summary>
    /// <param name="plannedNanoseconds">When it was to be sent, on the run's clock.</param>
    /// <param name="textBytes">Its length.</param>
    /// <returns>False when the connection takes no more.</returns>
    bool Send(long plannedNanoseconds, int textBytes);
}
