using System.Collections.Concurrent;
using System.ComponentModel;
using System.Net;
using Google.Protobuf;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>A stop with a thousand sessions, and one that an operator cuts short.</summary>
public sealed class DrainTests
{
    private const int Sessions = 1000;
    private const int LoginsAtOnce = 100;
    private const int WindowSeconds = 20;

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_thousand_sessions_are_told_times_that_spread_and_no_accepted_message_is_lost()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        await using ServerProcess server = await ServerProcess.StartAsync(
            $"--Sessions:ReturnWithin=00:00:{WindowSeconds}", "--Operations:DrainDelay=00:00:00.2");
        await using var crowd = new Crowd(server);
        await crowd.LogInAsync();
        await using ChatLoad load = await ChatLoad.StartAsync(server);

        int exitCode = await server.StopAsync();
        await load.WaitForEndAsync();
        SCloseNtf[] notices = await crowd.NoticesAsync();

        Assert.True(exitCode == 0, server.Program.Describe());
        Assert.All(notices, static notice => Assert.Equal(CloseCode.ServerShutdown, notice.Reason));
        Assert.All(notices, static notice => Assert.InRange(notice.RetryAfterMs, 1u, 1000u * WindowSeconds));
        // The clients come back after these times, so the second with the most of them is the highest load.
        int[] seconds = [.. notices.Select(static notice => (int)(notice.RetryAfterMs / 1000))];
        Assert.InRange(seconds.GroupBy(static second => second).Max(static group => group.Count()), 1, 2 * Sessions / WindowSeconds);
        await load.AssertStoredAsync(server);
    }

    [Fact]
    public async Task A_second_SIGTERM_ends_the_process_at_once()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        await using ServerProcess server = await ServerProcess.StartAsync("--Operations:DrainDelay=00:10:00");
        await using ChatClient player = await Players.LoginAsync(server, "kim");

        server.Program.Terminate();
        await server.Program.WaitForLineAsync(static line => line.Contains("Draining: not ready for 600 s", StringComparison.Ordinal));
        Task<int> exit = server.Program.WaitForExitAsync();
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
        try
        {
            while (!exit.IsCompleted && await timer.WaitForNextTickAsync(TestContext.Current.CancellationToken))
            {
                server.Program.Terminate(); // within a second of the first it counts as the same signal
            }
        }
        catch (Win32Exception)
        {
            // The process has gone in between.
        }

        Assert.Equal(1, await exit);
        Assert.Contains(server.Program.ErrorLines, static line => line.StartsWith("A second signal came", StringComparison.Ordinal));
    }

    /// <summary>Sessions that listen.</summary>
    private sealed class Crowd : IAsyncDisposable
    {
        private readonly ConcurrentDictionary<Connection, TaskCompletionSource<SLoginRes>> _logins = new();
        private readonly ConcurrentQueue<SCloseNtf> _notices = [];
        private readonly IPEndPoint _server;
        private readonly PlayChatConnector _connector;

        public Crowd(ServerProcess server)
        {
            _server = new IPEndPoint(IPAddress.Loopback, server.Port);
            _connector = new PlayChatConnector(FrameFormat.Packet(), Receive);
        }

        public async Task LogInAsync()
        {
            foreach (int[] numbers in Enumerable.Range(0, Sessions).Chunk(LoginsAtOnce))
            {
                await Task.WhenAll(numbers.Select(LogInAsync)).WaitAsync(TestTimeouts.Hang);
            }
        }

        public async Task<SCloseNtf[]> NoticesAsync()
        {
            await Eventually.TrueAsync(() => _notices.Count == Sessions);
            return [.. _notices];
        }

        public ValueTask DisposeAsync() => _connector.DisposeAsync();

        private async Task LogInAsync(int number)
        {
            Connection connection = await _connector.ConnectAsync(_server);
            TaskCompletionSource<SLoginRes> login = _logins.GetOrAdd(
                connection, static _ => new TaskCompletionSource<SLoginRes>(TaskCreationOptions.RunContinuationsAsynchronously));
            byte[] request = new CLoginReq { Name = $"listener {number}", ClientVersion = "test" }.ToByteArray();
            Assert.True(connection.Send(request, new FrameHeader((ushort)PacketId.CLoginReq, 1)));
            await login.Task;
        }

        private void Receive(Connection connection, Frame frame)
        {
            switch ((PacketId)frame.Header.PacketId)
            {
                case PacketId.SLoginRes:
                    _logins[connection].SetResult(SLoginRes.Parser.ParseFrom(frame.ToArray()));
                    break;
                case PacketId.SCloseNtf:
                    _notices.Enqueue(SCloseNtf.Parser.ParseFrom(frame.ToArray()));
                    break;
            }
        }
    }
}
