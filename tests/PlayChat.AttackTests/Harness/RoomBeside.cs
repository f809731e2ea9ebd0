using System.Collections.Concurrent;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using PlayChat.RoomProbe;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests.Harness;

/// <summary>A room of ordinary players beside an attack, in a process of its own: <c>tests/PlayChat.RoomProbe</c>. One of them says
/// something every 100 ms, every other one notes when it hears it, and a further player logs in every second.</summary>
internal sealed class RoomBeside : IAsyncDisposable
{
    private const int Size = 20;

    // In each measurement, however short the attack.
    private const int LeastMessages = 6;
    private const int MessagesPerSecond = 10;

    private static readonly JsonSerializerOptions s_json = new() { NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals };

    // By the kind of server.
    private static readonly ConcurrentDictionary<string, RoomReport> s_peace = new(StringComparer.Ordinal);

    private readonly ProgramProcess _probe;

    private RoomBeside(ProgramProcess probe, int members)
    {
        _probe = probe;
        Members = members;
    }

    /// <summary>The room.</summary>
    public long RoomId { get; private set; }

    /// <summary>How many players are in it.</summary>
    public int Members { get; }

    /// <summary>Connects the players, and lets them join.</summary>
    /// <param name="server">The server that is attacked.</param>
    /// <param name="certificate">What the server shows, where it speaks TLS.</param>
    /// <param name="password">Of the player that logs in during measurements, whose name is <c>probe</c>.</param>
    public static async Task<RoomBeside> StartAsync(ServerProcess server, TestCertificate? certificate = null, string? password = null)
    {
        string[] arguments =
        [
            server.Port.ToString(CultureInfo.InvariantCulture), Size.ToString(CultureInfo.InvariantCulture),
            certificate?.Own.Thumbprint ?? "-", password ?? "-",
        ];
        var room = new RoomBeside(
            ProgramProcess.Start(ProgramFile.Find("PlayChat.RoomProbe"), server.Directory, arguments), Size);
        try
        {
            room.RoomId = long.Parse(await room._probe.WaitForLineAsync(static _ => true), CultureInfo.InvariantCulture);
            return room;
        }
        catch
        {
            await room.DisposeAsync();
            throw;
        }
    }

    /// <summary>Measures the room beside a machine that is busy with something else; for a table also in peace, before.</summary>
    /// <param name="kind">The kind of server, whose peace is measured once: its transport, and whether it speaks TLS.</param>
    /// <param name="threads">How many threads are busy: as many as the attack has.</param>
    /// <param name="duration">How long each measurement takes, unless ATTACK_BASELINE_SECONDS says so.</param>
    public async Task<Baseline> MeasureBusyAsync(string kind, int threads, TimeSpan duration)
    {
        if (Environment.GetEnvironmentVariable("ATTACK_BASELINE_SECONDS") is { } seconds)
        {
            duration = TimeSpan.FromSeconds(double.Parse(seconds, CultureInfo.InvariantCulture));
        }

        RoomReport? peace = null;
        if (AttackReport.HasTable && !s_peace.TryGetValue(kind, out peace))
        {
            peace = await MeasureAsync(Task.CompletedTask, (int)(duration.TotalSeconds * MessagesPerSecond));
            s_peace[kind] = peace;
        }

        return new Baseline(peace, await MeasureAsync(BusyMachine.RunAsync(threads, duration)));
    }

    /// <summary>Measures a crowd of silent peers that stays until it is disposed: for a table at least so long as
    /// ATTACK_BASELINE_SECONDS says, because many such attacks are complete after a second.</summary>
    public Task<RoomReport> MeasureHeldAsync(Task meanwhile) => MeasureAsync(
        meanwhile,
        AttackReport.HasTable && Environment.GetEnvironmentVariable("ATTACK_BASELINE_SECONDS") is { } seconds
            ? (int)(double.Parse(seconds, CultureInfo.InvariantCulture) * MessagesPerSecond)
            : LeastMessages);

    /// <summary>Lets the players talk until <paramref name="meanwhile"/> has completed, and asserts that every one of them has heard
    /// everything in order, and that every login succeeded.</summary>
    public async Task<RoomReport> MeasureAsync(Task meanwhile, int leastMessages = LeastMessages)
    {
        int printed = _probe.OutputLines.Count;
        await _probe.TypeAsync(Math.Max(leastMessages, LeastMessages).ToString(CultureInfo.InvariantCulture));
        await meanwhile;
        await _probe.TypeAsync("");
        string line = await _probe.WaitForLineAsync(static _ => true, printed);
        RoomReport report = JsonSerializer.Deserialize<RoomReport>(line, s_json)!;
        Assert.True(report.Lost == 0 && report.Disconnected == 0 && report.FailedLogin is null, line);
        return report;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _probe.DisposeAsync();
}
