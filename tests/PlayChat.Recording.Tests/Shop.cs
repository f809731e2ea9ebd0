using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Testing;

namespace PlayChat.Recording.Tests;

/// <summary>The shop in a server that can record it.</summary>
internal sealed class Shop : IAsyncDisposable
{
    private Shop(RoomHarness<ShopRoom> harness, RoomRecordings recordings) => (Harness, Recordings) = (harness, recordings);

    internal RoomHarness<ShopRoom> Harness { get; }

    internal RoomRecordings Recordings { get; }

    internal ShopRoom Room => Harness.Room;

    public ValueTask DisposeAsync() => Harness.DisposeAsync();

    /// <summary>Starts the server. The shop is recorded from its creation on, unless a test says otherwise.</summary>
    internal static async Task<Shop> StartAsync(
        Folder folder,
        Action<RecordingOptions>? configure = null,
        Func<RoomContext, ShopRoom>? make = null,
        bool records = true,
        RoomSettings? settings = null,
        Action<PlayChatServer>? server = null)
    {
        var recordings = new RoomRecordings(options =>
        {
            options.Folder = folder.Path;
            options.RecordsBodies = true;
            if (records)
            {
                options.Record<ShopRoom>();
            }

            configure?.Invoke(options);
        });
        RoomHarness<ShopRoom> harness = await RoomHarness.StartAsync(
            make ?? (static context => new ShopRoom(context)),
            ShopPackets.All,
            made =>
            {
                Configure(made);
                made.UseRecording(recordings);
                server?.Invoke(made);
            },
            settings: settings ?? new RoomSettings { Name = ShopRoom.Title });
        return new Shop(harness, recordings);
    }

    internal static Task<RoomReplayResult<ShopRoom>> ReplayAsync(
        string path, Func<RoomContext, ShopRoom>? make = null, Action<ShopRoom>? check = null, bool skips = false) =>
        RoomReplay.RunAsync(path, Configure, OptionsOf(make, check, skips));

    internal async Task<HarnessClient> EnterAsync(string name)
    {
        HarnessClient client = await Harness.ConnectAsync();
        await Room.JoinAsync(client.Session, new Enter(name));
        await Harness.IdleAsync();
        return client;
    }

    internal async Task SendAsync<TMessage>(HarnessClient client, TMessage message)
    {
        client.SendPacket(message);
        await Harness.IdleAsync();
    }

    internal Task AdvanceAsync(double seconds) => Harness.AdvanceAsync(TimeSpan.FromSeconds(seconds));

    /// <summary>Ends the server, and so the recording.</summary>
    internal async Task<string> StopAsync(Folder folder)
    {
        await DisposeAsync();
        return Assert.Single(folder.Files);
    }

    /// <summary>Records a short life of a shop with everything in it.</summary>
    internal static async Task<string> RecordAsync(Folder folder, Action<RecordingOptions>? configure = null)
    {
        Shop shop = await StartAsync(folder, configure);
        HarnessClient ada = await shop.EnterAsync("ada");
        HarnessClient bob = await shop.EnterAsync("bob");
        for (int i = 1; i <= 5; i++)
        {
            await shop.SendAsync(ada, new Buy(i));
            await shop.AdvanceAsync(1.3);
            await shop.SendAsync(bob, new Buy(2 * i));
            await shop.Room.PostAsync(ShopRoom.Delivered, new Delivery(i));
            await shop.AdvanceAsync(2.2);
        }

        await shop.Room.LeaveAsync(bob.Session);
        ada.Break();
        await shop.AdvanceAsync(3);
        return await shop.StopAsync(folder);
    }

    private static RoomReplayOptions<ShopRoom> OptionsOf(Func<RoomContext, ShopRoom>? make, Action<ShopRoom>? check, bool skips) =>
        new() { Make = make ?? (static context => new ShopRoom(context)), Check = check, SkipsUnnamedJobs = skips };

    private static void Configure(PlayChatServer server) => server.UsePackets(ShopPackets.All).OnPackets(Map);

    internal static void Map(PacketRouter router)
    {
        router.MapRoomPacket<ShopRoom, Shopper, Buy>(static (room, _, shopper, buy) => room.OnBuy(shopper, buy));
        router.MapRoomRequest<ShopRoom, Shopper, Pay, Paid>(static (_, _, shopper, pay) => ShopRoom.OnPay(shopper, pay));
        router.MapRoomPacket<ShopRoom, Shopper, Whisper>(static (room, _, _, whisper) => room.OnWhisper(whisper));
        router.MapRoomPacket<ShopRoom, Shopper, Tip>(static (room, _, _, tip) => room.OnTip(tip));
    }
}
