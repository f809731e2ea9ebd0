using System.Globalization;
using System.Net;
using System.Text.Json;
using Google.Protobuf;
using PlayChat.AttackTests.Harness;
using PlayChat.Protocol;
using PlayChat.RoomProbe;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests;

/// <summary>Players that take all rooms they can get, and players that ask for the list of rooms as fast as they can.</summary>
[Trait("Tier", "Full")]
public sealed class RoomFloodTests
{
    private const int Takers = 100;
    private const int RoomsPerMinute = 20; // the default, of each player
    private const int RoomsAsked = 100; // by each taker: together as many as the server has
    private const int Askers = 50;
    private const int PagesAsked = 20; // at once, by each asker
    private const int Landlords = 5;
    private const int RoomsOfLandlord = 40; // together the longest page

    [Theory]
    [InlineData("sockets")]
    [InlineData("linux")]
    public async Task A_hundred_players_take_rooms_and_another_one_still_gets_a_room(string transport)
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            $"--Transport={transport}", $"--Sessions:RoomsPerMinute={RoomsPerMinute.ToString(CultureInfo.InvariantCulture)}",
            "--Rooms:MaxCreatedPerPlayer=50", "--Rooms:MaxRooms=10000", "--Rooms:UniqueNames=false");
        await using RoomBeside room = await RoomBeside.StartAsync(server);
        Baseline before = await room.MeasureBusyAsync(transport, 2, TimeSpan.FromSeconds(0.5));

        RawPeer[] takers = await Task.WhenAll(Enumerable.Range(1, Takers).Select(number => LoginAsync(server, "taker", number)));
        RoomReport attacked = await room.MeasureAsync(Task.Run(async () =>
        {
            int[] taken = await Task.WhenAll(takers.Select(TakeRoomsAsync));
            Assert.InRange(taken.Sum(), Takers, 2 * Takers * RoomsPerMinute); // a slow machine takes more than a minute
            await using ChatClient player = await Ordinary.LoginAsync(server, "player");
            await player.CreateRoomAsync("a room of our own");
        }));

        attacked.AssertLike(before);
        Array.ForEach(takers, static taker => taker.Dispose());
        await Aftermath.AssertUnharmedAsync(server, room, players: Takers);
    }

    // Without the limit of packets, which would close the connections.
    [Theory]
    [InlineData("sockets", 2)]
    [InlineData("linux", 2)]
    [InlineData("sockets", 30, Explicit = true)]
    [InlineData("linux", 30, Explicit = true)]
    public async Task Fifty_players_ask_for_the_list_of_rooms_at_full_speed_and_a_room_beside_them_talks_on(string transport, int seconds)
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            $"--Transport={transport}", "--Sessions:PagesPerSecond=20", "--PlayChat:Connections:BytesPerSecond=262144",
            "--PlayChat:Connections:FramesPerSecond=500");
        await using RoomBeside room = await RoomBeside.StartAsync(server);
        Baseline before = await room.MeasureBusyAsync(transport, 2, TimeSpan.FromSeconds(0.5));
        var landlords = new List<ChatClient>();
        for (int i = 0; i < Landlords; i++)
        {
            landlords.Add(await Ordinary.LoginAsync(server, $"landlord {i}"));
            for (int j = 0; j < RoomsOfLandlord; j++)
            {
                await landlords[i].CreateRoomAsync($"room {j} of {i}");
            }
        }

        RawPeer[] askers = await Task.WhenAll(Enumerable.Range(1, Askers).Select(number => LoginAsync(server, "asker", number)));
        using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(seconds));
        Task<int[]> asking = Task.WhenAll(askers.Select(asker => AskAsync(asker, stop.Token)));
        RoomReport attacked = await room.MeasureAsync(asking);

        attacked.AssertLike(before);
        Array.ForEach(askers, static asker => asker.Dispose());
        foreach (ChatClient landlord in landlords)
        {
            await landlord.DisposeAsync();
        }

        Assert.All(await asking, static answers => Assert.True(answers >= PagesAsked));
        JsonElement figures = await Aftermath.AssertUnharmedAsync(server, room, players: Askers + Landlords);
        Assert.True(ServerProcess.Figure(figures, "extras", "requests_limited") > 0, figures.ToString());
    }

    // Each from an address of its own, so that no limit of an address helps.
    private static async Task<RawPeer> LoginAsync(ServerProcess server, string kind, int number)
    {
        RawPeer peer = await RawPeer.ConnectAsync(server.Port, source: IPAddress.Parse($"127.0.1.{number}"));
        await peer.SendAsync(HostileFrames.Login($"{kind} {number}"));
        Assert.Equal((ushort)PacketId.SLoginRes, (await peer.ReceivePacketAsync())?.Id);
        return peer;
    }

    /// <returns>How many rooms it got.</returns>
    private static async Task<int> TakeRoomsAsync(RawPeer taker)
    {
        for (int i = 0; i < RoomsAsked; i++)
        {
            byte[] request = new CCreateRoomReq { Name = $"taken {i}" }.ToByteArray();
            await taker.SendAsync(RawPeer.Packet((ushort)PacketId.CCreateRoomReq, requestId: 2, request));
        }

        int taken = 0;
        for (int answers = 0; answers < RoomsAsked;)
        {
            RawPacket packet = Assert.NotNull(await taker.ReceivePacketAsync());
            answers += packet.RequestId == 2 ? 1 : 0;
            taken += packet.Id == (ushort)PacketId.SCreateRoomRes ? 1 : 0;
        }

        return taken;
    }

    /// <returns>How many answers it got.</returns>
    private static async Task<int> AskAsync(RawPeer asker, CancellationToken stop)
    {
        byte[] request = RawPeer.Packet((ushort)PacketId.CListRoomsReq, requestId: 2, []);
        byte[] requests = [.. Enumerable.Repeat(request, PagesAsked).SelectMany(static bytes => bytes)];
        int answers = 0;
        while (!stop.IsCancellationRequested)
        {
            await asker.SendAsync(requests);
            for (int expected = answers + PagesAsked; answers < expected;)
            {
                RawPacket packet = Assert.NotNull(await asker.ReceivePacketAsync());
                answers += packet.RequestId == 2 ? 1 : 0;
            }
        }

        return answers;
    }
}
