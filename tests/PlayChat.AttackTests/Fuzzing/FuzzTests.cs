using FsCheck;
using FsCheck.Fluent;

namespace PlayChat.AttackTests.Fuzzing;

/// <summary>No decoder throws, reads beyond what has arrived, or finds something else in the same bytes when they are split.</summary>
/// <remarks>FsCheck draws new inputs in every run. A failure shows the smallest input that it found, in hexadecimal, and the seed.</remarks>
public sealed class FuzzTests
{
    private const int Inputs = 200_000;
    private const int InputsAtLength = 10_000_000;

    public static TheoryData<string> Targets => new(FuzzTargets.All.Select(static target => target.Name));

    [Theory]
    [MemberData(nameof(Targets))]
    public void Any_bytes_are_decoded_safely_and_alike(string target) => Fuzz(target, Inputs / FuzzTargets.All.Length);

    [Theory(Explicit = true)]
    [MemberData(nameof(Targets))]
    public void Ten_million_inputs_are_decoded_safely_and_alike(string target) => Fuzz(target, InputsAtLength / FuzzTargets.All.Length);

    private static void Fuzz(string name, int inputs)
    {
        FuzzTarget target = FuzzTargets.All.Single(target => target.Name == name);
        Arbitrary<FuzzInput> input = Arb.From(
            Gen.Choose(0, int.MaxValue).Select(seed => Mutator.Make(target.Samples, seed)), static input => input.Shrink());

        Prop.ForAll(input, input => Assert.Null(target.Check(input)))
            .Check(Config.QuickThrowOnFailure.WithMaxTest(inputs).WithQuietOnSuccess(true));
    }
}
