using System.Globalization;
using PlayChat.Core.Hosting;
using PlayChat.Recording;

namespace PlayChat.Testing;

/// <summary>Looks for an order of events that breaks a room: players join, act, leave, lose their connections and return, at times and in
/// an order that one number, the seed, decides.</summary>
/// <remarks>
/// <para>Each seed is a world of its own: a real server with the room, on a clock of its own, and players on links with latency. A seed
/// fails if the room or a handler throws an exception, if <see cref="Check"/> does, or if something is left when all players have gone.
/// Then <see cref="RunAsync"/> throws, with the seed and the shortest history found that fails.</para>
/// <para>The same seed gives the same world if the room takes time and random numbers from its context (<see cref="RoomContext.Time"/>,
/// <see cref="RoomContext.Random"/>), and does all work in its turn. The first seed runs twice to check that.</para>
/// </remarks>
/// <typeparam name="TRoom">The room.</typeparam>
public sealed class RoomSimulation<TRoom>
    where TRoom : Room
{
    private const int MaxShortenings = 200; // worlds

    /// <summary>Makes the room.</summary>
    public required Func<RoomContext, TRoom> Make { get; init; }

    /// <summary>Lets a player's session join the room, and returns whether it is in. It must not wait for the clock.</summary>
    public required Func<TRoom, Session, Random, Task<bool>> Join { get; init; }

    /// <summary>Lets a player leave the room. Default: players leave because their sessions end.</summary>
    public Func<TRoom, Session, Task>? Leave { get; init; }

    /// <summary>Lets a player send something, as the random numbers decide. Called for connected players, members or not. Default
    /// nothing.</summary>
    public Action<HarnessClient, Random> Act { get; init; } = static (_, _) => { };

    /// <summary>Throws an exception if the room is not as it should be. Called in its turn after each step. Default nothing.</summary>
    public Action<TRoom> Check { get; init; } = static _ => { };

    /// <summary>The packets of server and clients; none by default. They need <see cref="Configure"/>.</summary>
    public PacketSet? Packets { get; init; }

    /// <summary>Sets the server up; see <see cref="RoomHarness.StartAsync{TRoom}"/>. The simulation sets logging, clock and seed, and a
    /// resume window of 3 seconds unless there is another one.</summary>
    public Action<PlayChatServer>? Configure { get; init; }

    /// <summary>The room's settings. Default: the name <c>room</c>.</summary>
    public RoomSettings? Settings { get; init; }

    /// <summary>The number of players, from 1. Default 4.</summary>
    public int Players { get; init; } = 4;

    /// <summary>The number of steps in a world, from 1. In most steps a player acts. Default 60.</summary>
    public int Steps { get; init; } = 60;

    /// <summary>The average time between two steps, of which each world draws its own from a tenth of it to twice as much. Default
    /// 100 ms.</summary>
    public TimeSpan Pace { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// The folder for a recording of the world that fails: the message of the exception names the file, and a later failure of the same
    /// seed replaces it. Worlds that pass write nothing. Default: <c>recordings</c> beside the program.
    /// </summary>
    public string RecordingFolder { get; init; } = Path.Combine(AppContext.BaseDirectory, "recordings");

    /// <summary>Runs worlds, one after the other, until one fails.</summary>
    /// <param name="seeds">The number of worlds, from 1.</param>
    /// <param name="first">The first seed. To repeat a failure, pass its seed.</param>
    /// <returns>A hash of the packets that each player has received, and when: the same for the same seeds.</returns>
    /// <exception cref="RoomSimulationException">A seed fails, or is not repeatable.</exception>
    public async Task<long> RunAsync(int seeds = 100, int first = 1)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(seeds, 1);
        long hash = 0;
        for (int seed = first; seed < first + seeds; seed++)
        {
            int[] steps = [.. Enumerable.Range(0, Steps)];
            SimulatedRoom<TRoom> world = await RunWorldAsync(seed, steps).ConfigureAwait(false);
            if (world.Fault is { } fault)
            {
                (SimulatedRoom<TRoom> shortest, steps) = await ShortenAsync(seed, steps, world).ConfigureAwait(false);
                string recording = await RecordAsync(seed, steps).ConfigureAwait(false);
                throw new RoomSimulationException($"{Describe(seed, shortest)}{Environment.NewLine}{recording}", seed, fault);
            }

            if (seed == first && (await RunWorldAsync(seed, steps).ConfigureAwait(false)).FindDifference(world) is { } difference)
            {
                string recording = await RecordAsync(seed, steps).ConfigureAwait(false);
                throw new RoomSimulationException(
                    $"Seed {seed} gave two different worlds: {difference}. Take time and random numbers from the room's context, and do "
                        + $"all work in the room's turn. {recording}",
                    seed);
            }

            hash = (hash * 31) + world.Hash;
        }

        return hash;
    }

    private async Task<SimulatedRoom<TRoom>> RunWorldAsync(int seed, int[] steps)
    {
        var world = new SimulatedRoom<TRoom>(this, seed);
        await world.RunAsync(steps).ConfigureAwait(false);
        return world;
    }

    /// <summary>Leaves out steps as long as what remains fails: first large parts of them, then single ones.</summary>
    private async Task<(SimulatedRoom<TRoom> World, int[] Steps)> ShortenAsync(int seed, int[] steps, SimulatedRoom<TRoom> failed)
    {
        int tries = 0;
        for (int part = (steps.Length + 1) / 2; part > 0; part = part == 1 ? 0 : (part + 1) / 2)
        {
            for (int at = 0; at < steps.Length && tries++ < MaxShortenings;)
            {
                int[] fewer = [.. steps.Take(at), .. steps.Skip(at + part)];
                SimulatedRoom<TRoom> world = await RunWorldAsync(seed, fewer).ConfigureAwait(false);
                if (world.Fault?.GetType() == failed.Fault!.GetType())
                {
                    (steps, failed) = (fewer, world);
                }
                else
                {
                    at += part;
                }
            }
        }

        return (failed, steps);
    }

    /// <summary>Runs a world once more, and records it.</summary>
    /// <returns>A sentence with the file, or with the reason why there is none.</returns>
    private async Task<string> RecordAsync(int seed, int[] steps)
    {
        var recordings = new RoomRecordings(options =>
        {
            options.Folder = RecordingFolder;
            options.RecordsBodies = true;
            options.Record<TRoom>();
        });
        var world = new SimulatedRoom<TRoom>(this, seed);
        try
        {
            await world.RunAsync(steps, recordings).ConfigureAwait(false);
            if (world.Recording is not { } recording)
            {
                return $"It is not recorded: {world.Warning}";
            }

            RecordingResult result = await recording.Completion.ConfigureAwait(false);
            string path = Path.Combine(RecordingFolder, string.Create(CultureInfo.InvariantCulture, $"{typeof(TRoom).Name}-{seed}.pcr"));
            File.Move(result.Path, path, overwrite: true);
            return $"Its recording: {path}";
        }
        catch (Exception e) when (e is InvalidOperationException or IOException or UnauthorizedAccessException)
        {
            return $"It is not recorded: {e.Message}"; // Configure sets up recordings of its own, or the folder is not usable
        }
    }

    private static string Describe(int seed, SimulatedRoom<TRoom> failed) =>
        $"Seed {seed} fails: {failed.Fault!.Message}{Environment.NewLine}The shortest history found that fails:{Environment.NewLine}"
            + string.Concat(failed.History.Select(static line => $"  {line}{Environment.NewLine}"))
            + $"To repeat it: RunAsync(seeds: 1, first: {seed}).";
}
