using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.Storage.Passwords;
using PlayChat.Storage.Sqlite;
using PlayChat.Testing;

namespace PlayChat.Packaging.Tests;

/// <summary>The programs of the packages' READMEs, so that the compiler reads them. <see cref="ReadmeTests"/> holds their text against the READMEs'.</summary>
internal static class ReadmeSamples
{
    internal static async Task CoreAsync()
    {
        await using var server = new PlayChatServer(options => options.ListenTcp("127.0.0.1:7000"))
            .UseFraming(FrameFormat.LengthPrefixed(maxFrameBytes: 64 * 1024))
            .OnFrame(static (connection, frame) => connection.Send(frame));
        await server.RunAsync();
    }

    internal static async Task ProtocolAsync()
    {
        await using ChatClient bot = await ChatClient.ConnectAsync("127.0.0.1", 7777);
        bot.MemberJoined += (_, joined) => bot.SendChat(joined.Message.RoomId, $"Welcome, {joined.Message.Member.Name}!");
        await bot.LoginAsync("greeter");
        await bot.CreateRoomAsync("lobby");
        await bot.Closed;
    }

    internal static async Task StorageAsync()
    {
        await using var store = new SqliteChatStore(new SqliteStoreOptions { DatabasePath = "game.db" });
        await store.InitializeAsync();
        var hasher = new PasswordHasher();
        CreateAccountResult created = await store.CreateAccountAsync("ada", hasher.Hash("a long password"), DateTimeOffset.UtcNow);
        Account? found = await store.FindAccountAsync("Ada"); // the same: names differ in more than case
        Console.WriteLine($"{created.Status}: {found}");
    }

    internal static async Task TestingAsync()
    {
        await using RoomHarness<Lobby> harness = await RoomHarness.StartAsync(context => new Lobby(context));
        HarnessClient near = await harness.ConnectAsync();
        HarnessClient far = await harness.ConnectAsync(new LinkConditions { Latency = TimeSpan.FromMilliseconds(80), MaxReceiveBytes = 1 });
        near.SendFrame("hello"u8, new FrameHeader(PacketId: 1));
        await harness.IdleAsync(); // all that can happen before the clock moves has happened
        int heard = near.Frames.Count;
        await harness.AdvanceAsync(TimeSpan.FromMilliseconds(80)); // now it has reached the other as well
        far.Break(); // both ends see a reset
        Console.WriteLine(heard);
    }

    private sealed class Lobby(RoomContext context) : Room(context);
}
