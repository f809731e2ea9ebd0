using System.Text.Json;
using Google.Protobuf.Collections;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.StressTests;

/// <summary>Many rooms that are made, filled, left and made again.</summary>
[Trait("Category", "Stress")]
[Trait("Tier", "Full")]
public sealed class RoomChurnTests
{
    private const int Players = 64;
    private const int MaxMessages = 20;

    [Fact(Explicit = true)]
    public async Task Rooms_that_come_and_go_lose_no_message_and_leave_nothing_behind()
    {
        await using ServerProcess server = await ServerProcess.StartAsync("--Sessions:RoomsPerMinute=0");
        await using var connector = new ChatConnector(
            "127.0.0.1", server.Port, new ChatClientOptions { ConnectTimeout = TestTimeouts.Hang, RequestTimeout = TestTimeouts.Hang });
        ChatClient[] players = await Task.WhenAll(Enumerable.Range(0, Players).Select(_ => connector.ConnectAsync()));
        await Task.WhenAll(players.Select(static (player, i) => player.LoginAsync($"player {i}")));

        using var stop = new CancellationTokenSource(StressDuration.Value);
        await Task.WhenAll(
            players.Select((player, seed) => Task.Run(() => WanderAsync(player, new Random(seed), () => stop.IsCancellationRequested))));

        JsonElement figures = await server.WaitForFiguresAsync(static figures => ServerProcess.Figure(figures, "now", "rooms") == 0);
        Assert.All(players, static player => Assert.Equal(0, player.MissedMessages));
        Assert.Equal(Players, ServerProcess.Figure(figures, "now", "sessions"));
        Assert.Equal(ServerProcess.Figure(figures, "total", "rooms_created"), ServerProcess.Figure(figures, "total", "rooms_removed"));
        Assert.Equal(0, ServerProcess.Figure(figures, "total", "handler_faults"));
        Assert.Equal(0, ServerProcess.Figure(figures, "now", "send_buffers_in_use"));
    }

    /// <summary>From room to room, until it is time to stop; then in none.</summary>
    private static async Task WanderAsync(ChatClient player, Random random, Func<bool> isOver)
    {
        while (!isOver())
        {
            if (await EnterAsync(player, random) is { } roomId)
            {
                for (int left = random.Next(MaxMessages); left > 0; left--)
                {
                    await player.ChatAsync(roomId, "떠돌이 🚶");
                }

                await player.LeaveRoomAsync(roomId);
            }
        }
    }

    private static async Task<long?> EnterAsync(ChatClient player, Random random)
    {
        RepeatedField<RoomInfo> rooms = (await player.ListRoomsAsync()).Rooms;
        if (rooms.Count == 0 || random.Next(4) == 0)
        {
            return (await player.CreateRoomAsync("on the way")).RoomId;
        }

        try
        {
            return (await player.JoinRoomAsync(rooms[random.Next(rooms.Count)].RoomId)).RoomId;
        }
        catch (ChatErrorException e) when (e.Code == ErrorCode.RoomNotFound)
        {
            return null; // the last one has left it meanwhile
        }
    }
}
