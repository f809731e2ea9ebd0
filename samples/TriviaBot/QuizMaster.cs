using System.Threading.Channels;
using PlayChat.Core.Transport;
using PlayChat.Protocol;

namespace TriviaBot;

/// <summary>Plays the quiz in a room of a chat server.</summary>
/// <remarks>
/// The client makes a broken connection again, also when the server has started anew; what was said meanwhile follows. Another client is
/// made here only when the server was away for too long.
/// </remarks>
internal sealed class QuizMaster(TriviaOptions options, TriviaGame game, TextWriter log)
{
    private static readonly TimeSpan s_retry = TimeSpan.FromSeconds(1);

    /// <summary>Plays until it is cancelled.</summary>
    /// <exception cref="ConnectFailedException">There is no server to begin with.</exception>
    /// <exception cref="ChatErrorException">The server refuses the player or the room to begin with.</exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        bool hasPlayed = false;
        while (true)
        {
            try
            {
                await using ChatClient client = await ChatClient.ConnectAsync(
                    options.Host, options.Port, new ChatClientOptions { ClientVersion = "TriviaBot/1" }, cancellationToken);
                Channel<SRoomChatNtf> heard = Listen(client);
                SLoginRes login = await client.LoginAsync(
                    options.Name, Environment.GetEnvironmentVariable(TriviaOptions.PasswordVariable), cancellationToken);
                long room = await EnterAsync(client, cancellationToken);
                log.WriteLine($"Asking in room {room}, \"{options.Room}\".");
                hasPlayed = true;
                await PlayAsync(client, login.PlayerId, room, heard.Reader, cancellationToken);
            }
            catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
            {
                return;
            }
            catch (Exception e) when (
                hasPlayed && e is ConnectFailedException or ChatErrorException or ChatConnectionClosedException or TimeoutException)
            {
                log.WriteLine($"{e.Message} Once more in {s_retry.TotalSeconds} s.");
            }

            await Task.Delay(s_retry, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>The messages of the session, until it ends.</summary>
    private Channel<SRoomChatNtf> Listen(ChatClient client)
    {
        // The receive loop raises the event and must not wait, so messages are queued. While the queue is full, the bot misses them.
        var heard = Channel.CreateBounded<SRoomChatNtf>(new BoundedChannelOptions(1000) { FullMode = BoundedChannelFullMode.DropWrite });
        client.ChatReceived += (_, received) => heard.Writer.TryWrite(received.Message);
        client.Reconnecting += (_, breaking) =>
            log.WriteLine($"The connection has broken ({breaking.Reason}); attempt {breaking.Attempt}.");
        client.Reconnected += (_, back) =>
            log.WriteLine(back.IsRecovered ? "Connected again; nothing was missed." : "Connected again; something was missed.");
        client.Disconnected += (_, end) =>
        {
            log.WriteLine($"The session has ended ({end.Reason}). {end.ServerMessage}");
            heard.Writer.TryComplete();
        };
        return heard;
    }

    /// <summary>Joins the room of that name, or makes it.</summary>
    private async Task<long> EnterAsync(ChatClient client, CancellationToken cancellationToken)
    {
        SListRoomsRes page;
        long last = 0;
        do
        {
            page = await client.ListRoomsAsync(last, cancellationToken: cancellationToken);
            foreach (RoomInfo room in page.Rooms)
            {
                if (room.Name == options.Room)
                {
                    return (await client.JoinRoomAsync(room.RoomId, cancellationToken)).RoomId;
                }
            }

            last = page.LastRoomId;
        }
        while (page.More);

        return (await client.CreateRoomAsync(options.Room, cancellationToken)).RoomId;
    }

    /// <summary>Until the session ends.</summary>
    private async Task PlayAsync(
        ChatClient client, long self, long room, ChannelReader<SRoomChatNtf> heard, CancellationToken cancellationToken)
    {
        while (true)
        {
            // After a session that ended in the middle of a question that one is still open.
            string question = game.Current?.Text ?? game.Ask();
            await client.ChatAsync(room, question, cancellationToken: cancellationToken);
            if (!await ListenAsync(options.AnswerTime, untilAnswered: true))
            {
                return;
            }

            if (game.Current is not null)
            {
                await client.ChatAsync(room, game.GiveUp(), cancellationToken: cancellationToken);
            }

            if (!await ListenAsync(options.Pause, untilAnswered: false))
            {
                return;
            }
        }

        // False when the session has ended.
        async Task<bool> ListenAsync(TimeSpan time, bool untilAnswered)
        {
            using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            timeout.CancelAfter(time);
            try
            {
                while (await heard.WaitToReadAsync(timeout.Token))
                {
                    while (heard.TryRead(out SRoomChatNtf? message))
                    {
                        if (message.System || message.PlayerId == self || game.Hear(message.PlayerName, message.Text) is not { } answer)
                        {
                            continue;
                        }

                        await client.ChatAsync(room, answer, cancellationToken: cancellationToken);
                        log.WriteLine(answer);
                        if (untilAnswered && game.Current is null)
                        {
                            return true;
                        }
                    }
                }

                return false;
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                return true; // the time is up
            }
        }
    }
}
