namespace PlayChat.Testing.Tests;

public sealed class EventuallyTests
{
    [Fact]
    public async Task A_condition_is_looked_at_until_it_holds_and_not_again()
    {
        int looks = 0;

        await Eventually.TrueAsync(() => ++looks == 8); // after the yields, and some pauses

        Assert.Equal(8, looks);
    }

    [Fact]
    public async Task An_answer_is_asked_for_until_it_is_as_wanted_and_then_returned()
    {
        int asked = 0;

        int answer = await Eventually.GetAsync(async () => await Task.FromResult(10 * ++asked), static tens => tens > 60);

        Assert.Equal(70, answer);
        Assert.Equal(7, asked);
    }

    [Fact]
    public async Task What_becomes_true_while_the_process_stands_still_for_longer_than_the_guard_is_seen()
    {
        int looks = 0;

        int last = await Eventually.GetAsync(() => Task.FromResult(++looks), static look => look == 2, TimeSpan.FromTicks(-1), "two");

        Assert.Equal(2, last);
    }

    [Fact]
    public async Task A_wait_that_fails_names_its_condition_and_the_last_answer()
    {
        TimeoutException e = await Assert.ThrowsAsync<TimeoutException>(() => Eventually.GetAsync(
            static () => Task.FromResult("blue"), static color => color == "red", TimeSpan.Zero, "color == \"red\""));

        Assert.Equal("This did not happen within 0 s: color == \"red\". Last: blue", e.Message);
    }
}
