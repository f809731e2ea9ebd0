using PlayChat.Chat.Configuration;
using PlayChat.Chat.Rooms.Members;
using PlayChat.Server.Tests.Chat;
using PlayChat.Storage;
using PlayChat.Testing;

namespace PlayChat.Server.Tests.Rooms;

public sealed class MembershipWritesTests
{
    private readonly Queue<Func<Task>> _queued = [];

    [Fact]
    public async Task Mentions_that_come_while_a_write_waits_go_with_it_and_none_is_lost()
    {
        await using TestServer server = await TestServer.StartAsync();
        RoomMembership ann = new(7, 1, "ann", RoomMemberRole.Member);
        RoomMembership bob = ann with { PlayerId = 2, PlayerName = "bob" };
        await server.Store.SaveMembershipsAsync([ann, bob]);
        using MembershipWrites writes = Create(server);

        for (int i = 1; i <= 10; i++)
        {
            writes.AddMention(new RoomMention(7, ann.PlayerId, i, SenderId: 9));
            writes.AddMention(new RoomMention(7, bob.PlayerId, i, SenderId: 9));
        }

        Assert.Single(_queued);
        await WriteAsync();
        writes.AddMention(new RoomMention(7, ann.PlayerId, 11, SenderId: 9));
        await WriteAsync();

        Assert.Equal(
            [ann with { UnreadMentions = 11 }, bob with { UnreadMentions = 10 }], await server.Store.ListMembershipsAsync(7));
    }

    [Fact]
    public async Task A_mention_is_counted_behind_the_change_that_came_before_it()
    {
        await using TestServer server = await TestServer.StartAsync();
        RoomMembership ann = new(7, 1, "ann", RoomMemberRole.Member);
        using MembershipWrites writes = Create(server);

        writes.AddMention(new RoomMention(7, ann.PlayerId, 1, SenderId: 9));
        writes.Remove(7, ann.PlayerId);
        writes.Save(ann);
        writes.AddMention(new RoomMention(7, ann.PlayerId, 2, SenderId: 9));
        await WriteAsync();

        Assert.Equal([ann with { UnreadMentions = 1 }], await server.Store.ListMembershipsAsync(7));
    }

    private MembershipWrites Create(TestServer server) => new(
        server.Store,
        server.Get<ServerSettings>(),
        write =>
        {
            _queued.Enqueue(write);
            return true;
        },
        new ManualTimeProvider());

    private async Task WriteAsync()
    {
        while (_queued.TryDequeue(out Func<Task>? write))
        {
            await write();
        }
    }
}
