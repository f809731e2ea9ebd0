using PlayChat.Client.Cli;
using PlayChat.Client.Interaction;
using PlayChat.Client.Screens;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests;

/// <summary>What the feed knows when it shows something.</summary>
public sealed class RoomFeedTests
{
    [Fact]
    public async Task A_message_can_be_named_in_a_command_as_soon_as_it_is_seen()
    {
        await using SmallChatServer server = await SmallChatServer.StartAsync();
        long room = server.AddRoom("lobby");
        var console = new FakeConsole();
        await using var ui = new PlainUserInterface(console);
        var rooms = new OpenRooms(ui);
        var options = new ClientOptions { Nodes = [new("127.0.0.1", server.Port)], Reconnect = false };
        await using ChatSession session = await ChatSession.ConnectAsync(options, ui, rooms, TimeProvider.System, CancellationToken.None);
        await session.Client.LoginAsync("Ann");
        rooms.BeginSession(session);
        await rooms.JoinAsync(room);
        var known = new TaskCompletionSource<long?>(TaskCreationOptions.RunContinuationsAsynchronously);
        console.Written = text =>
        {
            if (text.EndsWith("Bob: hi", StringComparison.Ordinal))
            {
                known.TrySetResult(session.Feed.Find(room, "bob", -1)?.Sequence);
            }
        };

        server.Say(room, "Bob", "hi");

        Assert.NotNull(await known.Task.WaitAsync(TestTimeouts.Hang));
    }
}
