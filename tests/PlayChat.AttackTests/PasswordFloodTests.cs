using System.Collections.Concurrent;
using System.Net;
using Google.Protobuf;
using PlayChat.AttackTests.Harness;
using PlayChat.Protocol;
using PlayChat.RoomProbe;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests;

/// <summary>Many addresses that guess passwords, so that the processors hash and nobody else gets a turn.</summary>
[Trait("Tier", "Full")]
public sealed class PasswordFloodTests
{
    private const int Guesses = 10;
    private const string LoggedIn = "logged in";
    private const string Password = "secret 1234";

    private static readonly string[] s_players = ["player 1", "player 2", "player 3", "player 4"];

    [Theory]
    [InlineData("sockets", 40, 20_000)]
    [InlineData("linux", 40, 20_000)]
    [InlineData("sockets", 100, 600_000, Explicit = true)] // the default number of iterations
    [InlineData("linux", 100, 600_000, Explicit = true)]
    public async Task Players_log_in_while_many_addresses_guess(string transport, int addresses, int iterations)
    {
        using var folder = new TemporaryDirectory();
        string hashing = $"--Accounts:PasswordIterations={iterations}";
        await using (ServerProcess first = await ServerProcess.StartInAsync(folder.Path, hashing))
        {
            foreach (string player in s_players.Append("probe"))
            {
                Assert.Equal(LoggedIn, await LogInAsync(first, player, "127.0.9.1")); // registers the player
            }

            await (await RoomBeside.StartAsync(first)).DisposeAsync(); // and those who talk, and who comes after the attack
            await (await Ordinary.LoginAsync(first, "late")).DisposeAsync();

            await first.StopAsync();
        }

        await using ServerProcess server = await ServerProcess.StartInAsync(
            folder.Path, hashing, $"--Transport={transport}", "--Accounts:AutoRegister=false",
            "--PlayChat:Connections:LimitsLoopback=true");
        await using RoomBeside room = await RoomBeside.StartAsync(server, password: Password);
        Baseline before = await room.MeasureBusyAsync(transport, 2, TimeSpan.FromSeconds(0.5));
        using var stop = new CancellationTokenSource();
        var known = new ConcurrentDictionary<int, bool>();
        var allKnown = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<long> attack = Attacker.RunAsync(
            new AttackPlan(server.Port, stop: stop.Token), addresses, (attacker, stream) => Guess(attacker, stream, () =>
            {
                if (known.TryAdd(attacker.Number, true) && known.Count == addresses)
                {
                    allKnown.SetResult();
                }
            }));
        List<string> answers = [];
        RoomReport attacked = await room.MeasureAsync(Task.Run(async () =>
        {
            // Until an address has failed once, it takes turns with the players' addresses.
            await allKnown.Task.WaitAsync(TestTimeouts.Hang);
            for (int i = 0; i < s_players.Length; i++)
            {
                string source = $"127.0.9.{i + 1}";
                answers.Add(await LogInAsync(server, s_players[i], source)); // from an address that the server has forgotten
                answers.Add(await LogInAsync(server, s_players[i], source)); // and that it knows again
            }

            await stop.CancelAsync();
            await attack;
        }));

        Assert.All(answers, static answer => Assert.Equal(LoggedIn, answer));
        attacked.AssertLike(before);
        await Aftermath.AssertUnharmedAsync(server, room, players: addresses);
    }

    private static void Guess(Attacker attacker, Stream stream, Action onAnswer)
    {
        byte[][] guesses =
        [
            .. Enumerable.Range(0, Guesses).Select(i => RawPeer.Packet(
                (ushort)PacketId.CLoginReq, 1,
                new CLoginReq { Name = $"somebody {attacker.Number} {i % 10}", Password = "a guess" }.ToByteArray())),
        ];
        byte[] answer = new byte[4096];
        for (int i = 0; i < Guesses && !attacker.IsOver; i++)
        {
            stream.Write(guesses[i]);
            if (stream.Read(answer) == 0)
            {
                return;
            }

            onAnswer();
        }
    }

    /// <returns><see cref="LoggedIn"/>, or what the server says instead.</returns>
    private static async Task<string> LogInAsync(ServerProcess server, string player, string source)
    {
        using RawPeer peer = await RawPeer.ConnectAsync(server.Port, source: IPAddress.Parse(source));
        var login = new CLoginReq { Name = player, Password = Password };
        await peer.SendAsync(RawPeer.Packet((ushort)PacketId.CLoginReq, 1, login.ToByteArray()));
        while (await peer.ReceivePacketAsync() is { } packet)
        {
            if (packet.RequestId == 1)
            {
                return packet.Id == (ushort)PacketId.SLoginRes ? LoggedIn : SErrorNtf.Parser.ParseFrom(packet.Payload).Message;
            }
        }

        return "closed";
    }
}
