using PlayChat.Core.Tests.Architecture.Samples.Lower;
using PlayChat.TestUtilities.Architecture;

namespace PlayChat.Core.Tests.Architecture;

public sealed class ArchitectureRulesTests
{
    private const string Root = "PlayChat.Core.Tests.Architecture.Samples";

    [Theory]
    [InlineData(nameof(Calling))]
    [InlineData(nameof(CallingInAsyncLambda))]
    [InlineData(nameof(Catching))]
    [InlineData(nameof(Switching))]
    [InlineData(nameof(PassingAsTypeArgument))]
    [InlineData(nameof(Annotated))]
    public void A_use_of_a_higher_layer_is_found_wherever_it_is(string user)
    {
        IReadOnlyList<string> problems = Rules([["Lower"], ["Upper"]]).FindProblems();

        Assert.Contains(problems, problem => problem.StartsWith($"Lower.{user} -> Upper.", StringComparison.Ordinal));
    }

    [Fact]
    public void Two_folders_of_one_layer_must_not_use_each_other()
    {
        IReadOnlyList<string> problems = Rules([["Lower", "Upper"]]).FindProblems();

        Assert.Contains(problems, static problem => problem.StartsWith("Lower.Calling -> Upper.Top ", StringComparison.Ordinal));
        Assert.Contains(problems, static problem => problem.StartsWith("Upper.Top -> Lower.Bottom ", StringComparison.Ordinal));
    }

    [Fact]
    public void A_use_of_a_lower_layer_is_no_problem()
    {
        IReadOnlyList<string> problems = Rules([["Lower"], ["Upper"]]).FindProblems();

        Assert.DoesNotContain(problems, static problem => problem.StartsWith("Upper.", StringComparison.Ordinal));
    }

    [Fact]
    public void A_folder_without_a_layer_is_a_problem()
    {
        IReadOnlyList<string> problems = Rules([["Lower"]]).FindProblems();

        Assert.Contains("Folder 'Upper' has no layer: add it to the list of layers.", problems, StringComparer.Ordinal);
    }

    [Fact]
    public void A_folder_without_types_is_a_problem()
    {
        IReadOnlyList<string> problems = Rules([["Lower"], ["Upper", "Upside"]]).FindProblems();

        Assert.Contains($"Folder 'Upside' has no types below {Root}: correct the list of layers.", problems, StringComparer.Ordinal);
    }

    [Fact]
    public void An_allowed_violation_that_no_longer_occurs_is_a_problem()
    {
        IReadOnlyList<string> problems = Rules([["Lower"], ["Upper"]]).FindProblems(
            "Lower.Calling -> Upper.Top", "Lower.Bottom -> Upper.Top");

        Assert.DoesNotContain(problems, static problem => problem.StartsWith("Lower.Calling -> Upper.Top ", StringComparison.Ordinal));
        Assert.Contains(
            "Lower.Bottom -> Upper.Top no longer occurs: remove it from the allowed violations.", problems, StringComparer.Ordinal);
    }

    private static ArchitectureRules Rules(string[][] layers) => new(typeof(ArchitectureRulesTests).Assembly, Root, layers);
}
