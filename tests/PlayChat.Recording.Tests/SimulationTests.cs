using PlayChat.Testing;

namespace PlayChat.Recording.Tests;

/// <summary>The worlds of a simulation are recorded, with all that happens to players in them.</summary>
public sealed class SimulationTests
{
    [Fact]
    public async Task Every_world_of_a_simulation_can_be_recorded_and_replays_identically()
    {
        using var folder = new Folder();
        await new RoomSimulation<ShopRoom>
        {
            Make = static context => new ShopRoom(context),
            Join = static async (room, session, random) => (await room.JoinAsync(session, new Enter($"{random.Next(100)}"))).IsJoined,
            Leave = static (room, session) => room.LeaveAsync(session).AsTask(),
            Act = static (client, random) => client.SendPacket(new Buy(random.Next(9))),
            Packets = ShopPackets.All,
            Configure = server => server.OnPackets(Shop.Map).UseRecording(new RoomRecordings(options =>
            {
                options.Folder = folder.Path;
                options.RecordsBodies = true;
                options.Record<ShopRoom>();
            })),
        }.RunAsync(seeds: 10);

        Assert.Equal(11, folder.Files.Count); // the first seed runs twice
        foreach (string file in folder.Files)
        {
            RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(file, skips: true); // the simulation asks the room after each step
            replay.ThrowIfDiverged();
            Assert.Equal(RecordingEnd.RoomEnded, replay.End);
        }
    }
}
