using System.Text.Json;
using System.Threading.Channels;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>One who does not read costs nobody but itself.</summary>
[Trait("Tier", "Full")]
public sealed class SlowConsumerTests
{
    private const int Readers = 100;
    private const int MaxOutboundBytes = 64 * 1024;
    private const long MaxWorkingSetBytes = 512L * 1024 * 1024;

    // A round is far less than a reader may have waiting; all of them are many times what the silent one may.
    private const int Rounds = 40;
    private const int MessagesOfRound = 8;
    private const int TextBytes = 2000;

    [Fact]
    public async Task A_client_that_never_reads_is_closed_and_a_hundred_others_get_everything_in_order()
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            "--PlayChat:Rooms:MaxMembers=200", "--PlayChat:Sessions:ResumeWindow=00:00:00",
            "--PlayChat:Transport:SendBufferBytes=8192", $"--PlayChat:Connections:MaxOutboundBytes={MaxOutboundBytes}",
            "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0");
        using var http = new HttpClient { BaseAddress = await server.WaitForOperationsAsync() };
        await using ChatConnector connector = Players.Connector(server);
        ChatClient[] readers = await Task.WhenAll(Enumerable.Range(0, Readers).Select(_ => connector.ConnectAsync()));
        await Task.WhenAll(readers.Select(static (reader, i) => reader.LoginAsync($"reader {i}")));
        SCreateRoomRes room = await readers[0].CreateRoomAsync("a hundred and one");
        await Task.WhenAll(readers.Skip(1).Select(reader => reader.JoinRoomAsync(room.RoomId)));

        // All that it reads are the answers that tell it is in the room.
        using RawPeer silent = await RawPeer.ConnectAsync(server.Port, receiveBufferBytes: 4096);
        await silent.SendAsync(HostileFrames.Login("silent"));
        await silent.SendAsync(RawPeer.Packet((ushort)PacketId.CJoinRoomReq, 2, Payload.Of(new CJoinRoomReq { RoomId = room.RoomId })));
        Assert.Equal((ushort)PacketId.SLoginRes, (await silent.ReceivePacketAsync())?.Id);
        Assert.Equal((ushort)PacketId.SJoinRoomRes, (await silent.ReceivePacketAsync())?.Id);

        Listener[] listeners = readers.Select(static reader => new Listener(reader)).ToArray();
        int expected = 0;
        for (int round = 0; round < Rounds; round++)
        {
            for (int i = 0; i < MessagesOfRound; i++)
            {
                string text = $"{expected++} ".PadRight(TextBytes, '.');
                Assert.True(readers[(round + i) % Readers].SendChat(room.RoomId, text));
            }

            // Nobody is more than a round behind: whoever is closed has not read at all.
            await Task.WhenAll(listeners.Select(listener => listener.HeardAsync(expected)));
        }

        await Task.WhenAll(listeners.Select(static listener => listener.HeardOfLeaveAsync()));
        Assert.All(readers, static reader => Assert.True(reader.IsConnected));
        Assert.All(readers, static reader => Assert.Equal(0, reader.MissedMessages));
        Assert.All(listeners, listener => Assert.Equal(listeners[0].Heard, listener.Heard));
        Assert.Equal(Enumerable.Range(0, expected), listeners[0].Heard.Select(static text =>
            int.Parse(text.Split(' ')[0], System.Globalization.CultureInfo.InvariantCulture)).Order());

        // What it finds when it reads at last: the beginning, and then the end without a word.
        Assert.Equal((ushort)PacketId.SRoomChatNtf, (await silent.ReceiveLastPacketAsync())?.Id);
        JsonElement figures = await server.WaitForFiguresAsync(static figures =>
            ServerProcess.Figure(figures, "now", "connections") == Readers);
        Assert.Equal(1, ServerProcess.Figure(figures, "closes", "slow_consumer"));
        Assert.Equal(1, ServerProcess.Figure(figures, "total", "slow_consumers"));
        Assert.InRange(ServerProcess.Figure(figures, "process", "peak_working_set_bytes"), 1, MaxWorkingSetBytes);

        // The operator sees the player and what it has not read. The queue was nearly full when a frame did not fit any more.
        using var closes = JsonDocument.Parse(await http.GetStringAsync(
            new Uri("api/v1/closes?reason=SlowConsumer", UriKind.Relative)).WaitAsync(TestTimeouts.Hang));
        JsonElement close = Assert.Single(closes.RootElement.GetProperty("items").EnumerateArray());
        Assert.Equal("silent", close.GetProperty("userName").GetString());
        Assert.InRange(close.GetProperty("queuedBytes").GetInt64(), MaxOutboundBytes / 2, MaxOutboundBytes);
    }

    /// <summary>What one of the hundred hears.</summary>
    private sealed class Listener
    {
        private readonly Channel<SRoomChatNtf> _messages = Channel.CreateUnbounded<SRoomChatNtf>();
        private bool _hasHeardOfLeave;

        public Listener(ChatClient client) => client.ChatReceived += (_, chat) => _messages.Writer.TryWrite(chat.Message);

        /// <summary>The texts that players said, in the order in which they came.</summary>
        public List<string> Heard { get; } = [];

        public async Task HeardAsync(int count)
        {
            while (Heard.Count < count)
            {
                await NextAsync();
            }
        }

        public async Task HeardOfLeaveAsync()
        {
            while (!_hasHeardOfLeave)
            {
                await NextAsync();
            }
        }

        private async Task NextAsync()
        {
            SRoomChatNtf message = await _messages.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);
            if (message.System)
            {
                Assert.Equal("silent", message.Left.Name);
                _hasHeardOfLeave = true;
            }
            else
            {
                Heard.Add(message.Text);
            }
        }
    }
}
