namespace PlayChat.AttackTests.Fuzzing;

/// <summary>A decoder under the fuzzer.</summary>
/// <param name="name">What a failure calls it.</param>
internal abstract class FuzzTarget(string name)
{
    /// <summary>What a failure calls it.</summary>
    public string Name { get; } = name;

    /// <summary>Valid inputs, from which others are made.</summary>
    public abstract IReadOnlyList<byte[]> Samples { get; }

    /// <summary>Decodes an input in every way that it may arrive.</summary>
    /// <returns>Which property does not hold; null when all of them do. What it throws is a failure as well.</returns>
    public abstract string? Check(FuzzInput input);
}
