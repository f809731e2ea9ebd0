using PlayChat.Storage;

namespace PlayChat.Webhooks.Tests;

/// <summary>What becomes of requests that no receiver takes.</summary>
public sealed class DeadLetterTests
{
    [Fact]
    public async Task A_request_that_is_answered_410_is_a_dead_letter_and_is_sent_again_when_asked()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.Answer = static (request, _) => Task.FromResult(request.Texts.Contains("gone", StringComparer.Ordinal) ? 410 : 200);
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);

        await server.SayAsync(room: 3, 1, "gone", "next");
        await Eventually.TrueAsync(() => receiver.Texts.Contains("next", StringComparer.Ordinal));
        DeadLetter dead = server.Service.ListDeadLetters().Single();
        receiver.AnswerAll(200);
        int retried = server.Service.RetryDeadLetters(id: dead.Id);
        await Eventually.TrueAsync(() => receiver.Texts.Count() == 2);

        Assert.Equal(("shop", 3, 1, "The receiver answered 410."), (dead.Target, dead.RoomId, dead.Messages, dead.Error));
        Assert.Equal(1, retried);
        Assert.Equal(["next", "gone"], receiver.Texts, StringComparer.Ordinal);
        Assert.Equal(dead.WebhookId, receiver.Accepted.Last().Id);
        Assert.Empty(server.Service.ListDeadLetters());
        Assert.Equal(0, server.Service.RetryDeadLetters(id: dead.Id));
    }

    [Fact]
    public async Task What_a_failing_receiver_has_not_taken_for_too_long_becomes_dead_letters()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.AnswerAll(503);
        await using WebhookServer server = await WebhookServer.StartAsync(
            folder, receiver, static options => options.GiveUpAfter = TimeSpan.FromHours(1));
        DateTimeOffset start = server.Time.GetUtcNow();

        await server.SayAsync(room: 3, 1, "one", "two");
        await server.SayAsync(room: 4, 1, "three");
        await server.AdvanceUntilAsync(() => server.Time.GetUtcNow() > start.AddMinutes(30));
        await server.SayAsync(room: 3, 3, "four");
        await server.AdvanceUntilAsync(() => server.Status.DeadLetters > 0);

        Assert.InRange(server.Time.GetUtcNow(), start.AddHours(1), start.AddMinutes(70));
        Assert.Equal((1, 3), (server.Status.Waiting, server.Status.DeadLetters));
        Assert.Equal(1, server.Log.Count(nameof(WebhookLog.GivenUp)));
        receiver.AnswerAll(200);
        await server.AdvanceUntilAsync(() => receiver.Texts.Any());
        Assert.Equal(["four"], receiver.Texts, StringComparer.Ordinal);
        Assert.Equal(3, server.Service.RetryDeadLetters());
        await server.AdvanceUntilAsync(() => receiver.Texts.Count() == 4);
    }

    [Fact]
    public async Task A_batch_that_the_chat_log_passes_again_when_its_request_is_a_dead_letter_does_not_stop_the_target()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.AnswerAll(410);
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);
        ChatRecord[] batch = [server.Record(3, 1, "one")];
        await server.AddAsync(batch);
        await Eventually.TrueAsync(() => server.Status.DeadLetters == 1);

        receiver.AnswerAll(200);
        await server.AddAsync(batch);
        await server.SayAsync(room: 4, 1, "two");
        await Eventually.TrueAsync(() => receiver.Texts.Any());

        Assert.Equal(["two"], receiver.Texts, StringComparer.Ordinal);
        Assert.Equal(0, server.Log.Count(nameof(WebhookLog.OutboxFailed)));
    }

    [Fact]
    public async Task Dead_letters_are_listed_by_pages_and_deleted_one_or_all()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.AnswerAll(410);
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);
        await server.SayAsync(room: 3, 1, "one", "two", "three");
        await Eventually.TrueAsync(() => server.Status.DeadLetters == 3);

        IReadOnlyList<DeadLetter> first = server.Service.ListDeadLetters(limit: 2);
        IReadOnlyList<DeadLetter> rest = server.Service.ListDeadLetters(after: first[1].Id);

        Assert.Equal([2, 1], new[] { first.Count, rest.Count });
        Assert.Equal(1, server.Service.DeleteDeadLetters(id: first[0].Id));
        Assert.Equal(0, server.Service.DeleteDeadLetters(target: "another"));
        Assert.Equal(2, server.Service.DeleteDeadLetters());
        Assert.Equal((0, 0), (server.Status.Waiting, server.Status.DeadLetters));
    }

    [Fact]
    public async Task The_oldest_dead_letters_are_deleted_when_there_are_too_many()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.AnswerAll(410);
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver, static options => options.MaxDeadLetters = 2);

        await server.SayAsync(room: 3, 1, "one", "two", "three", "four");
        await Eventually.TrueAsync(() => receiver.Requests.Count == 4 && server.Status.Waiting == 0);

        Assert.Equal([3, 4], server.Service.ListDeadLetters().Select(static dead => dead.Id));
    }

    [Fact]
    public async Task Requests_for_a_target_that_the_settings_have_no_more_are_dead_letters()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.AnswerAll(503);
        await using (WebhookServer first = await WebhookServer.StartAsync(folder, receiver))
        {
            await first.SayAsync(room: 3, 1, "one");
        }

        WebhookTarget renamed = WebhookServer.Target(receiver.Address);
        renamed.Name = "store";
        await using WebhookServer second = await WebhookServer.StartAsync(folder, renamed);

        DeadLetter dead = second.Service.ListDeadLetters().Single();
        Assert.Equal(("shop", "The settings have no such target."), (dead.Target, dead.Error));
        Assert.Equal(1, second.Log.Count(nameof(WebhookLog.TargetsGone)));
        Assert.Equal(0, second.Service.RetryDeadLetters()); // there is no receiver for it
        Assert.Single(second.Service.ListDeadLetters());
    }
}
