namespace PlayChat.Core.Transport;

/// <summary>Decides when one half of a pipe is completed: once, and never while an operation uses it. Thread-safe.</summary>
/// <remarks>
/// A mutable struct, embedded in its owner: never copied. Invariant: of all calls of <see cref="TryFinish"/> and <see cref="End"/> exactly
/// one returns <see langword="true"/> after the half was finished, and its caller completes the half.
/// </remarks>
internal struct PipeHalf
{
    private const int Busy = 1;
    private const int Finished = 2;

    private int _state;

    /// <summary>Whether no operation may begin any more.</summary>
    internal bool IsFinished => (Volatile.Read(ref _state) & Finished) != 0;

    /// <summary>Begins an operation. One at a time.</summary>
    /// <returns><see langword="false"/> when the half is finished; <see cref="End"/> must not follow then.</returns>
    internal bool TryBegin() => (Interlocked.Or(ref _state, Busy) & Finished) == 0;

    /// <summary>Ends an operation.</summary>
    /// <returns>Whether the half was finished meanwhile, so that the caller completes it.</returns>
    internal bool End() => (Interlocked.And(ref _state, ~Busy) & Finished) != 0;

    /// <summary>Lets no further operation begin.</summary>
    /// <returns>
    /// Whether the caller completes the half. Otherwise the operation under way does that, or the half was finished before.
    /// </returns>
    internal bool TryFinish() => Interlocked.Or(ref _state, Finished) == 0;
}
