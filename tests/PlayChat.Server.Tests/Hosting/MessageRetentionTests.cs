using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Diagnostics;
using PlayChat.Chat.Hosting;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Hosting;

public sealed class MessageRetentionTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly RecordingLogger _log = new();

    [Fact]
    public async Task Messages_beyond_their_days_are_deleted_in_all_rooms()
    {
        const int Old = (2 * MessageRetention.BatchSize) + 1;
        using var directory = new TemporaryDirectory();
        DateTimeOffset now = _time.GetUtcNow();
        await using TestServer server = await StartAsync(directory);
        MessageRetention retention = Retention(server);
        await retention.StopAsync(default); // or its look at the start, which may come late, takes some of them
        await server.Store.AppendChatAsync(
            [.. Enumerable.Range(1, Old).Select(i => Record(1, i, now.AddDays(-31))), Record(1, Old + 1, now.AddDays(-29))]);
        await server.Store.AppendChatAsync([Record(2, 1, now.AddDays(-30).AddTicks(-10)), Record(2, 2, now.AddDays(-30))]);
        long kim = (await server.Store.CreateAccountAsync("kim", null, now)).Account.Id;
        await server.Store.Direct.AppendAsync(
            [new(kim, kim, "old", now.AddDays(-31)), new(kim, kim, "young", now.AddDays(-29))]);
        server.Get<ServerSettings>().ChatLog.RetainedMessageDays = 30; // as a reload sets it

        long deleted = await retention.DeleteOldAsync(default);

        Assert.Equal(Old + 2, deleted);
        Assert.Equal("young", Assert.Single(await server.Store.Direct.ReadAfterAsync(kim, kim, 0, 10)).Text);
        Assert.Equal([Old + 1L], (await server.Store.ReadChatAfterAsync(1, 0, 10)).Select(static record => record.Sequence));
        Assert.Equal([2L], (await server.Store.ReadChatAfterAsync(2, 0, 10)).Select(static record => record.Sequence));
        Assert.Contains(_log.Entries, static entry => entry.Text.EndsWith(
            " messages older than 30 days were deleted from the database.", StringComparison.Ordinal));
        Assert.Equal(0, await retention.DeleteOldAsync(default));
    }

    [Fact]
    public async Task The_server_looks_for_old_messages_every_hour()
    {
        using var directory = new TemporaryDirectory();
        await using TestServer server = await StartAsync(directory, "--ChatLog:RetainedMessageDays=1");
        for (int room = 1; room <= 2; room++)
        {
            await server.Store.AppendChatAsync([Record(room, 1, _time.GetUtcNow().AddDays(-2))]);
            while ((await server.Store.ReadChatAfterAsync(room, 0, 1)).Count > 0)
            {
                _time.Advance(TimeSpan.FromHours(1));
            }
        }

        // The line follows the deletion, and the pause between them is on the manual clock, too.
        await Eventually.TrueAsync(() =>
        {
            _time.Advance(TimeSpan.FromHours(1));
            return _log.Count(nameof(ServerLog.MessagesDeleted)) > 0;
        });
        Assert.InRange(_log.Count(nameof(ServerLog.MessagesDeleted)), 1, 2);
    }

    [Fact]
    public async Task By_default_nothing_is_deleted()
    {
        using var directory = new TemporaryDirectory();
        await using TestServer server = await StartAsync(directory);
        await server.Store.AppendChatAsync([Record(1, 1, DateTimeOffset.UnixEpoch)]);

        Assert.Equal(0, await Retention(server).DeleteOldAsync(default));

        Assert.Single(await server.Store.ReadChatAfterAsync(1, 0, 10));
    }

    [Fact]
    public async Task A_room_whose_messages_were_deleted_is_joined_and_goes_on()
    {
        using var directory = new TemporaryDirectory();
        await using TestServer server = await StartAsync(directory, "--ChatLog:RetainedMessageDays=1");
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await kim.SayAsync(roomId, "old");
        await Eventually.TrueAsync(() => server.Log.Metrics.InDatabase == 1);
        Assert.Equal(1, await server.Store.DeleteChatBeforeAsync(roomId, DateTimeOffset.MaxValue, 10));

        SRoomChatRes said = await kim.SayAsync(roomId, "new");
        await Eventually.TrueAsync(() => server.Log.Metrics.InDatabase == 2);

        Assert.Equal(2, said.Sequence);
        Assert.Equal(
            ["new"],
            (await server.Store.ReadChatAfterAsync(roomId, 0, 10)).Select(static record => record.Text),
            StringComparer.Ordinal);
    }

    private static ChatRecord Record(long roomId, long sequence, DateTimeOffset sentAt) =>
        new(roomId, sequence, 1, "kim", "hello", sentAt, "lobby");

    private static MessageRetention Retention(TestServer server) =>
        server.Get<IEnumerable<Microsoft.Extensions.Hosting.IHostedService>>().OfType<MessageRetention>().Single();

    private Task<TestServer> StartAsync(TemporaryDirectory directory, params string[] args) => TestServer.StartInAsync(
        directory.Path,
        services =>
        {
            // The clock of the retention alone, or nothing would be flushed.
            services.AddSingleton<ILogger<MessageRetention>>(new Logger<MessageRetention>(_log));
            ServiceDescriptor registered = services.Single(static service => service.ImplementationType == typeof(MessageRetention));
            services.Remove(registered);
            services.AddSingleton<Microsoft.Extensions.Hosting.IHostedService>(provider =>
                ActivatorUtilities.CreateInstance<MessageRetention>(provider, (TimeProvider)_time));
        },
        args);
}
