using TriviaBot;

namespace Samples.Tests;

public sealed class TriviaGameTests
{
    private static readonly Question s_capital = new("Capital of Iceland?", ["Reykjavík"]);
    private static readonly Question s_legs = new("How many legs has a spider?", ["8", "eight"]);

    [Theory]
    [InlineData("Reykjavík", true)]
    [InlineData("reykjavik", true)]
    [InlineData("I think it's REYKJAVIK!!", true)]
    [InlineData("Reykjavikk", false)]
    [InlineData("Oslo", false)]
    [InlineData("", false)]
    public void An_answer_is_recognised_whatever_its_case_accents_and_company(string words, bool isRight) =>
        Assert.Equal(isRight, s_capital.IsAnsweredBy(words));

    [Theory]
    [InlineData("8", true)]
    [InlineData("Eight legs", true)]
    [InlineData("18", false)]
    [InlineData("8.", true)]
    public void Any_of_the_answers_will_do(string words, bool isRight) => Assert.Equal(isRight, s_legs.IsAnsweredBy(words));

    [Fact]
    public void The_first_right_answer_gets_the_point()
    {
        var game = new TriviaGame([s_legs], new Random(1));

        Assert.Equal("Nobody has a point yet.", game.Hear("ann", "score"));
        Assert.Null(game.Hear("ann", "8")); // nothing was asked
        Assert.Equal(s_legs.Text, game.Ask());
        Assert.Null(game.Hear("ann", "6"));
        Assert.Equal("Right, bob! That makes 1 point.", game.Hear("bob", "8!"));
        Assert.Null(game.Hear("ann", "8")); // too late
        game.Ask();
        Assert.Equal("Right, bob! That makes 2 points.", game.Hear("bob", "eight"));
        game.Ask();
        game.Hear("ann", "eight");

        Assert.Equal("bob 2, ann 1", game.Hear("ann", " Score? "));
    }

    [Fact]
    public void A_question_that_nobody_answers_is_answered_and_over()
    {
        var game = new TriviaGame([s_capital], new Random(1));
        game.Ask();

        Assert.Equal("Nobody? It is Reykjavík.", game.GiveUp());
        Assert.Null(game.Current);
    }

    [Fact]
    public void Every_question_comes_before_one_comes_again()
    {
        Question[] questions = [.. Enumerable.Range(0, 10).Select(static i => new Question($"{i}?", ["yes"]))];
        var game = new TriviaGame(questions, new Random(1));

        for (int round = 0; round < 3; round++)
        {
            Assert.Equal(questions.Length, questions.Select(_ => game.Ask()).Distinct().Count());
        }
    }

    [Fact]
    public void The_questions_that_come_with_the_bot_can_be_read() =>
        Assert.NotEmpty(QuestionFile.Read(Path.Combine(AppContext.BaseDirectory, "questions.txt")));

    [Theory]
    [InlineData("no answer")]
    [InlineData("empty answer |")]
    [InlineData("| no question")]
    [InlineData("signs alone | ??")]
    public void A_line_that_is_no_question_is_named(string line)
    {
        InvalidDataException e = Assert.Throws<InvalidDataException>(() => QuestionFile.Parse(["# a remark", "", line], "my.txt"));

        Assert.StartsWith("my.txt, line 3: ", e.Message, StringComparison.Ordinal);
    }
}
