namespace PlayChat.AttackTests.Fuzzing;

/// <summary>A decoder under the fuzzer.</summary>
/// <param name="name">What a failure calls it.</param>
internal abstract class FuzzTarget(string name)
{
    /// <summary>What a failure calls it.</summary>
    public string Name { get; } = name;

    /// <summary>Inputs from which something was decoded.</summary>
    public int Accepted { get; private set; }

    /// <summary>Inputs that were refused.</summary>
    public int Refused { get; private set; }

    /// <summary>Valid inputs, from which others are made.</summary>
    public abstract IReadOnlyList<byte[]> Samples { get; }

    /// <summary>Decodes an input in every way that it may arrive.</summary>
    /// <returns>Which property does not hold; null when all of them do. What it throws is a failure as well.</returns>
    public abstract string? Check(FuzzInput input);

    /// <summary>Counts an input, so that a fuzzer whose inputs are all of one kind is noticed.</summary>
    protected void Note(bool accepted, bool refused)
    {
        Accepted += accepted ? 1 : 0;
        Refused += refused ? 1 : 0;
    }
}
