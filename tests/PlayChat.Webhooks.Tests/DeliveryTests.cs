using System.Collections.Concurrent;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using PlayChat.Storage;

namespace PlayChat.Webhooks.Tests;

/// <summary>What a receiver gets, in which order, and how often.</summary>
public sealed class DeliveryTests
{
    [Fact]
    public async Task A_request_has_the_messages_of_one_room_as_JSON()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);

        await server.AddAsync(
            server.Record(3, 11, "one"),
            server.Record(4, 1, "other"),
            server.Record(3, 12, "two"),
            server.Record(3, 11, "") with { EditedAt = server.Time.GetUtcNow() });
        await Eventually.TrueAsync(() => receiver.Accepted.Count == 2);

        JsonElement json = receiver.Accepted.Single(static request => request.RoomId == 3).Json;
        JsonElement data = json.GetProperty("data");
        JsonElement second = data.GetProperty("messages")[1];
        Assert.Equal("chat.messages", json.GetProperty("type").GetString());
        Assert.Equal("den", data.GetProperty("roomName").GetString());
        Assert.Equal(3, data.GetProperty("messages").GetArrayLength());
        Assert.False(second.TryGetProperty("editedAt", out _));
        JsonElement deleted = data.GetProperty("messages")[2];
        Assert.Equal(
            (11, "", server.Time.GetUtcNow()),
            (deleted.GetProperty("sequence").GetInt64(), deleted.GetProperty("text").GetString(),
                deleted.GetProperty("editedAt").GetDateTimeOffset()));
        Assert.Equal(
            (12, 7, "Ann", "two", server.Time.GetUtcNow()),
            (second.GetProperty("sequence").GetInt64(), second.GetProperty("playerId").GetInt64(),
                second.GetProperty("playerName").GetString(), second.GetProperty("text").GetString(),
                second.GetProperty("sentAt").GetDateTimeOffset()));
    }

    [Fact]
    public async Task Requests_of_a_room_come_one_after_the_other_and_those_of_others_beside_them()
    {
        const int Rooms = 4;
        const int Messages = 20;
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        var underWay = new ConcurrentDictionary<long, int>();
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        bool isDouble = false;
        receiver.Answer = async (request, _) =>
        {
            isDouble |= underWay.AddOrUpdate(request.RoomId, 1, static (_, count) => count + 1) > 1;
            if (underWay.Count == Rooms)
            {
                all.TrySetResult(); // each room has begun, although none has been answered
            }

            await all.Task.WaitAsync(TestTimeouts.Hang);
            underWay.AddOrUpdate(request.RoomId, 0, static (_, count) => count - 1);
            return 200;
        };
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver, static options => options.Concurrency = Rooms);

        for (int i = 1; i <= Messages; i++)
        {
            await server.AddAsync([.. Enumerable.Range(1, Rooms).Select(room => server.Record(room, i, $"{room}-{i}"))]);
        }

        await Eventually.TrueAsync(() => receiver.Texts.Count() == Rooms * Messages);
        Assert.False(isDouble);
        for (int room = 1; room <= Rooms; room++)
        {
            Assert.Equal(
                Enumerable.Range(1, Messages).Select(i => $"{room}-{i}"),
                receiver.TextsOf(room),
                StringComparer.Ordinal);
        }
    }

    [Fact]
    public async Task What_was_not_sent_is_sent_after_a_restart_in_order()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.AnswerAll(503);
        await using (WebhookServer first = await WebhookServer.StartAsync(folder, receiver))
        {
            await first.SayAsync(room: 3, 1, "one", "two", "three");
            await Eventually.TrueAsync(() => first.Status.Failures == 1);
        }

        receiver.AnswerAll(200);
        await using WebhookServer second = await WebhookServer.StartAsync(folder, receiver);
        await second.SayAsync(room: 3, 4, "four");

        await Eventually.TrueAsync(() => receiver.Texts.Count() == 4);
        Assert.Equal(["one", "two", "three", "four"], receiver.Texts, StringComparer.Ordinal);
        await Eventually.TrueAsync(() => second.Status.Waiting == 0);
    }

    [Fact]
    public async Task A_receiver_that_fails_for_a_while_gets_everything_once()
    {
        int failures = 0;
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.Answer = (_, _) => Task.FromResult(Interlocked.Increment(ref failures) <= 5 ? 500 : 200);
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);
        string[] texts = [.. Enumerable.Range(1, 10).Select(static i => $"text {i}")];

        await server.SayAsync(room: 3, 1, texts);
        await server.SayAsync(room: 4, 1, texts);
        await server.AdvanceUntilAsync(() => receiver.Texts.Count() >= 20);
        await server.AdvanceUntilAsync(() => server.Status.Waiting == 0);

        Assert.Equal(texts, receiver.TextsOf(room: 3), StringComparer.Ordinal);
        Assert.Equal(texts, receiver.TextsOf(room: 4), StringComparer.Ordinal);
        Assert.Equal(1, server.Log.Count(nameof(WebhookLog.TargetFailed)));
        Assert.Equal(1, server.Log.Count(nameof(WebhookLog.TargetRecovered)));
    }

    [Fact]
    public async Task A_request_whose_answer_is_lost_comes_again_with_the_same_id()
    {
        int requests = 0;
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.Answer = (_, context) =>
        {
            if (Interlocked.Increment(ref requests) == 1)
            {
                context.Abort(); // it has the messages, and the sender does not know it
            }

            return Task.FromResult(200);
        };
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);

        await server.SayAsync(room: 3, 1, "one", "two");
        await server.AdvanceUntilAsync(() => server.Status.Waiting == 0);

        Assert.Equal(["one", "one", "two"], receiver.Texts, StringComparer.Ordinal);
        Assert.Equal([1, 2], receiver.Accepted.GroupBy(static request => request.Id, StringComparer.Ordinal).Select(
            static tries => tries.Count()).Order());
    }

    [Fact]
    public async Task Waits_grow_up_to_their_end_and_chance_shortens_them_by_at_most_half()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.AnswerAll(502);
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);
        await server.SayAsync(room: 3, 1, "one");

        double[] longest = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300];
        for (int failure = 1; failure <= longest.Length; failure++)
        {
            int failed = failure;
            DateTimeOffset last = server.Time.GetUtcNow();
            await Eventually.TrueAsync(() => server.Status is { NextTryAt: not null } status && status.Failures == failed);
            last = server.Time.GetUtcNow() > last ? server.Time.GetUtcNow() : last;
            double wait = (server.Status.NextTryAt!.Value - last).TotalSeconds;
            Assert.InRange(wait, longest[failure - 1] / 2, longest[failure - 1]);
            await server.AdvanceUntilAsync(() => receiver.Requests.Count > failed);
        }
    }

    [Fact]
    public async Task A_receiver_that_asks_to_be_left_alone_is()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.Answer = static (_, context) =>
        {
            context.Response.Headers.RetryAfter = "60";
            return Task.FromResult(429);
        };
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);
        DateTimeOffset start = server.Time.GetUtcNow();

        await server.SayAsync(room: 3, 1, "one");
        await Eventually.TrueAsync(() => server.Status.NextTryAt is not null);

        Assert.Equal(start.AddMinutes(1), server.Status.NextTryAt);
    }

    [Fact]
    public async Task A_receiver_that_does_not_answer_has_failed()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.Answer = static async (_, context) =>
        {
            var ended = new TaskCompletionSource();
            await using CancellationTokenRegistration end = context.RequestAborted.Register(ended.SetResult);
            await ended.Task;
            return 500;
        };
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);

        await server.SayAsync(room: 3, 1, "one");
        await Eventually.TrueAsync(() => receiver.Requests.Count == 1);
        server.Time.Advance(TimeSpan.FromSeconds(15));

        await Eventually.TrueAsync(() => server.Status.LastError == "The receiver did not answer within 00:00:15.");
    }

    [Fact]
    public async Task A_request_that_the_receiver_refuses_holds_up_its_room_alone()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.Answer = static (request, _) => Task.FromResult(request.RoomId == 3 ? 422 : 200);
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);

        await server.SayAsync(room: 3, 1, "bad", "behind it");
        await server.SayAsync(room: 4, 1, "one", "two");

        await Eventually.TrueAsync(() => receiver.Texts.Count() == 2);
        await Eventually.TrueAsync(() => server.Status.Waiting == 2);
        Assert.Equal(["one", "two"], receiver.Texts, StringComparer.Ordinal);
        Assert.Equal(0, server.Status.Failures);
        Assert.Equal(1, server.Log.Count(nameof(WebhookLog.RequestRefused)));
    }

    [Fact]
    public async Task A_redirect_is_not_followed()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        await using Receiver other = await Receiver.StartAsync();
        receiver.Answer = (_, context) =>
        {
            context.Response.Headers.Location = other.Address.ToString();
            return Task.FromResult(307);
        };
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);

        await server.SayAsync(room: 3, 1, "one");

        await Eventually.TrueAsync(() => server.Status.LastError == "The receiver answered 307.");
        Assert.Empty(other.Requests);
    }

    [Fact]
    public void A_request_has_at_most_so_many_messages_and_bytes()
    {
        var time = new ManualTimeProvider();
        ChatRecord[] records =
        [
            .. Enumerable.Range(1, 130).Select(i => new ChatRecord(3, i, 7, "Ann", "", time.GetUtcNow())),
            new(3, 131, 7, "Ann", new string('x', 30_000), time.GetUtcNow()),
            new(3, 132, 7, "Ann", "last", time.GetUtcNow()),
        ];

        MessageBatch[] batches = [.. MessageBatch.Of(records)];

        Assert.Equal([98, 32, 1, 1], batches.Select(static batch => batch.Messages));
        Assert.Equal(
            batches.Select(static batch => batch.Id),
            MessageBatch.Of(records).Select(static batch => batch.Id),
            StringComparer.Ordinal);
        Assert.All(batches, static batch => Assert.DoesNotContain('.', batch.Id));
    }
}
