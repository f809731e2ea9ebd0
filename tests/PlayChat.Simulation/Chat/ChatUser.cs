using System.Net.Sockets;
using System.Reflection;
using PlayChat.Core;
using PlayChat.Core.Transport;
using PlayChat.Protocol;

namespace PlayChat.Simulation.Chat;

/// <summary>A player with a <see cref="ChatClient"/>: it logs in, talks in rooms, whispers, edits, reacts, and loses its link.</summary>
/// <param name="world">Its world.</param>
/// <param name="number">Its number, from 1.</param>
/// <param name="dice">Decides what it does next.</param>
internal sealed class ChatUser(ChatWorld world, int number, Dice dice)
{
    private static readonly FieldInfo s_lastMessageId =
        typeof(ChatClient).GetField("_lastMessageId", BindingFlags.NonPublic | BindingFlags.Instance)!;

    // In it all players have said what they say at the same time.
    private static readonly TimeSpan s_others = TimeSpan.FromSeconds(30);

    private readonly ClientNetwork _network = new(() => world.PickNetwork(dice));
    private readonly Dictionary<long, long> _newest = [];
    private readonly HashSet<long> _mayMiss = []; // rooms of which the server has said that something was missed
    private readonly List<(long Room, long Sequence)> _own = [];
    private int _said;
    private int _lives;

    internal string Name => $"user {number}";

    /// <summary>The present client, while it is logged in.</summary>
    internal ChatClient? Client { get; private set; }

    internal async Task RunAsync()
    {
        try
        {
            await Task.Delay(dice.Between(0, 2), world.Clock);
            while (!world.IsEnding)
            {
                if (Client is null || Client.Closed.IsCompleted)
                {
                    await BeginAsync();
                }

                await Task.Delay(dice.Between(0, 2 * world.Plan.Pace.TotalSeconds), world.Clock);
                if (world.IsChaos && Client is not null)
                {
                    await TryAsync(ActAsync);
                }
            }
        }
        catch (Exception e)
        {
            world.Judge.Require(false, "no fault", $"{Name}: {e}");
        }
    }

    /// <summary>Says something in each of its rooms, and reads their histories. When no faults happen, each of them answers.</summary>
    internal async Task SayEverywhereAsync()
    {
        if (Client is not { } client)
        {
            return;
        }

        try
        {
            long[] rooms = [.. world.History.Rooms.Where(room => client.FindRoom(room) is not null)];
            await Task.WhenAll(rooms.Select(room => SayUntilTakenAsync(client, room)));
            await Task.Delay(s_others, world.Clock);
            await Task.WhenAll(rooms.Select(room => CheckHistoryAsync(client, room)));
        }
        catch (Exception e)
        {
            world.Judge.Require(false, "liveness", $"{Name} has no answer of its rooms: {e.Message}");
        }
    }

    /// <summary>Logs out, or disappears without a word.</summary>
    internal async Task EndAsync()
    {
        if (Client is { } client)
        {
            if (dice.Chance(0.5))
            {
                _network.Link?.Vanish();
            }

            await client.DisposeAsync();
            world.Judge.Require(client.Closed.IsCompletedSuccessfully, "all ends", $"{Name} is disposed and has not ended");
            world.Judge.Require(client.RequestsInFlight == 0, "all ends", $"{Name} has {client.RequestsInFlight} requests after its end");
        }
    }

    private async Task BeginAsync()
    {
        if (Client is { } former)
        {
            Client = null;
            await former.DisposeAsync();
        }

        await TryAsync(async () =>
        {
            var options = new ChatClientOptions { Transport = _network, TimeProvider = world.Clock };
            ChatClient client = await ChatClient.ConnectAsync("127.0.0.1", ChatWorld.Port, options);
            s_lastMessageId.SetValue(client, (number * 1_000_000L) + (++_lives * 10_000));
            Listen(client);
            world.Tell($"{Name}: logs in");
            try
            {
                await client.LoginAsync(Name);
                Client = client;
                world.Count("logins");
            }
            catch
            {
                await client.DisposeAsync();
                throw;
            }
        });
    }

    private void Listen(ChatClient client)
    {
        _newest.Clear();
        _mayMiss.Clear();
        string login = $"{Name} in login {_lives}"; // a node may give it what was said before, and the former login had
        client.ChatReceived += (_, e) => OnEvent(
            e.Message.RoomId, e.Message.Sequence, e.MissedBefore, Describe(e.Message));
        client.MemberJoined += (_, e) => OnEvent(
            e.Message.RoomId, e.Message.Sequence, e.MissedBefore, $"join {e.Message.Member.PlayerId}");
        client.MessageEdited += (_, e) => OnEvent(
            e.Message.RoomId, e.Message.Sequence, e.MissedBefore, $"edit {e.Message.MessageSequence} {e.Message.Text}");
        client.ReactionChanged += (_, e) => OnEvent(
            e.Message.RoomId,
            e.Message.Sequence,
            e.MissedBefore,
            $"react {e.Message.MessageSequence} {e.Message.Player.PlayerId} {e.Message.Emoji} {e.Message.Removed}");
        client.DirectChatReceived += (_, e) => world.History.NoteWhisper(e.PlayerName, login, e.Text);
        client.Reconnecting += (_, e) => world.Tell($"{Name}: reconnects after {e.Reason}");
        client.Reconnected += (_, e) => OnReconnected(e);
        client.Disconnected += (_, e) => world.Tell($"{Name}: ended as {e.Reason}");
    }

    private static string Describe(SRoomChatNtf message) => message switch
    {
        { Left: { } left } => $"leave {left.PlayerId}",
        { System: true } => $"system {message.Text}",
        { Deleted: true } or { EditedAtUnixMs: > 0 } => $"changed {message.PlayerId}",
        _ => $"say {message.PlayerId} {message.Text}",
    };

    private void OnEvent(long room, long sequence, long missed, string what)
    {
        world.Tell($"{Name} got {sequence} of room {room}: {what}");
        long newest = _newest.GetValueOrDefault(room);
        world.Judge.Require(sequence > newest, "one order", $"{Name} got {sequence} of room {room} after {newest}");
        world.Judge.Require(
            _mayMiss.Remove(room) || missed == 0, "no gap", $"{Name} misses {missed} before {sequence} of room {room}");
        _newest[room] = sequence;
        world.History.NoteEvent(Name, room, sequence, what);
    }

    private void OnReconnected(ReconnectedEventArgs e)
    {
        world.Count(e.IsRecovered ? "clients recovered" : "clients returned with a loss");
        foreach (RoomRecovery room in e.Rooms)
        {
            world.Tell($"{Name} is back: {room}");
            if (!room.IsRecovered || world.ForgetsSoon)
            {
                _mayMiss.Add(room.RoomId);
            }
        }
    }

    private async Task ActAsync()
    {
        ChatClient client = Client!;
        long[] rooms = [.. world.Rooms.Where(room => client.FindRoom(room) is not null)];
        int draw = dice.Next(100);
        if (rooms.Length == 0 || draw < 8)
        {
            await JoinAsync(client);
            return;
        }

        long room = rooms[dice.Next(rooms.Length)];
        bool breaks = world.Plan.Has(Faults.Breaks);
        switch (draw)
        {
            case < 12:
                world.Tell($"{Name}: leaves {room}");
                await client.LeaveRoomAsync(room);
                break;
            case < 20:
                await SayMuchAsync(client, room);
                break;
            case < 30 when breaks:
                Task said = SayMuchAsync(client, room); // the client repeats what has no answer when the link breaks
                await Task.Delay(dice.Between(0, 2 * world.Network.MaxDelay.TotalSeconds), world.Clock);
                BreakLink();
                await said;
                break;
            case 30:
                world.Count("logouts");
                Client = null;
                await client.DisposeAsync();
                break;
            case < 40 when _own.Count > 0:
                (long ownRoom, long own) = _own[dice.Next(_own.Count)];
                await client.EditMessageAsync(ownRoom, own, $"{Name} edits {++_said}");
                world.Count("edits");
                break;
            case < 50 when _own.Count > 0:
                (long reactedRoom, long reacted) = _own[dice.Next(_own.Count)];
                await client.ReactAsync(reactedRoom, reacted, dice.Pick("👍", "🎉"), remove: dice.Chance(0.3));
                world.Count("reactions");
                break;
            case < 60 when world.Other(this, dice) is { } other:
                await client.SendDirectAsync(other.Login!.PlayerId, $"{Name} whispers {++_said}");
                world.Count("whispers");
                break;
            default:
                await SayAsync(client, room);
                break;
        }
    }

    private async Task JoinAsync(ChatClient client)
    {
        if (world.Rooms.Count < world.Plan.RoomNames || dice.Chance(0.02))
        {
            SCreateRoomRes made = await client.CreateRoomAsync($"room of {Name} {++_said}");
            world.Rooms.Add(made.RoomId);
            world.Tell($"{Name}: made room {made.RoomId}");
            return;
        }

        long room = world.Rooms[dice.Next(world.Rooms.Count)];
        try
        {
            await client.JoinRoomAsync(room);
            world.Count("joins");
        }
        catch (ChatErrorException e) when (e.Code == ErrorCode.RoomNotFound)
        {
            world.Rooms.Remove(room); // it ended when it was empty
        }
    }

    // All that everybody says at once may be more than a node's queue holds: the server then says when to try again.
    private async Task SayUntilTakenAsync(ChatClient client, long room)
    {
        for (int tries = 1; ; tries++)
        {
            try
            {
                await SayAsync(client, room);
                return;
            }
            catch (ChatErrorException e) when (e.RetryAfter > TimeSpan.Zero && tries < 60)
            {
                await Task.Delay(e.RetryAfter, world.Clock);
            }
        }
    }

    private Task SayMuchAsync(ChatClient client, long room) =>
        Task.WhenAll(Enumerable.Range(0, dice.Next(20)).Select(_ => TryAsync(() => SayAsync(client, room))));

    private void BreakLink()
    {
        if (dice.Chance(0.6))
        {
            world.Count("links reset");
            _network.Link?.Break();
        }
        else
        {
            world.Count("half-open links");
            _network.Link?.Vanish();
        }
    }

    private async Task SayAsync(ChatClient client, long room)
    {
        string text = $"{Name} says {++_said} {new string('.', dice.Next(world.Plan.Fill + 1))}";
        SRoomChatRes answer = await client.ChatAsync(room, text);
        world.Count("messages acknowledged");
        world.History.NoteAcknowledged(Name, room, answer.Sequence, $"say {client.Login!.PlayerId} {text}");
        _own.Add((room, answer.Sequence));
    }

    private async Task CheckHistoryAsync(ChatClient client, long room)
    {
        var history = new Dictionary<long, string>();
        long after = 0;
        bool more = true;
        while (more)
        {
            SRoomHistoryRes page = await client.ReadHistoryAfterAsync(room, after);
            foreach (SRoomChatNtf message in page.Messages)
            {
                after = message.Sequence;
                if (!message.System) // the history does not say who has left
                {
                    history[after] = Describe(message);
                }
            }

            more = page.More && page.Messages.Count > 0;
        }

        world.History.CheckHistory(Name, room, history);
    }

    private async Task TryAsync(Func<Task> action)
    {
        try
        {
            await action();
        }
        catch (Exception e) when (e is ChatErrorException or ChatConnectionClosedException or ConnectFailedException or SocketException
            or TimeoutException or OperationCanceledException or ObjectDisposedException)
        {
            world.Count($"refused: {(e is ChatErrorException error ? error.Code : e.GetType().Name)}");
            world.Tell($"{Name}: {e.GetType().Name} {e.Message}");
        }
    }
}
