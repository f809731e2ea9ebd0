using FsCheck;
using FsCheck.Fluent;
using PlayChat.Core.Framing;

namespace PlayChat.AttackTests.Fuzzing;

/// <summary>No decoder throws, reads beyond what has arrived, or finds something else in the same bytes when they are split.</summary>
/// <remarks>FsCheck draws new inputs in every run. A failure shows the seed, and the smallest input that it found in hexadecimal.</remarks>
[Trait("Tier", "Full")]
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

    [Fact]
    public void A_decoder_that_depends_on_segments_is_found_and_its_input_is_made_small()
    {
        var wrong = new StreamTarget("wrong", FrameFormat.Create(new WrongCodec()), packets: null, [[3, 1, 2, 3], [0], [1, 7]]);

        // How small a shrunk input is depends on the input that was found, so this one is always the same.
        Config always = Config.QuickThrowOnFailure.WithReplay(new Replay(new Rnd(1), null));
        Exception found = Assert.ThrowsAny<Exception>(() => Fuzz(wrong, inputs: 10_000, always));

        Assert.Matches("(?s)Falsifiable.*Shrunk:\\s*[0-9A-F]{2,40} cut at", found.Message);
    }

    private static void Fuzz(string name, int inputs) =>
        Fuzz(FuzzTargets.All.Single(target => target.Name == name), inputs, Config.QuickThrowOnFailure);

    private static void Fuzz(FuzzTarget target, int inputs, Config config)
    {
        Arbitrary<FuzzInput> input = Arb.From(
            Gen.Choose(0, int.MaxValue).Select(seed => Mutator.Make(target.Samples, seed)), static input => input.Shrink());

        Prop.ForAll(input, input => Assert.Null(target.Check(input)))
            .Check(config.WithMaxTest(inputs).WithQuietOnSuccess(true));

        // A hundredth of each kind: noise that is refused at its first byte would test little.
        if (target.Name != "raw")
        {
            Assert.True(
                target.Accepted > inputs / 100 && target.Refused > inputs / 100,
                $"{target.Accepted} accepted and {target.Refused} refused of {inputs}.");
        }
    }
}
