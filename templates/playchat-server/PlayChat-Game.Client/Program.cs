using System.Globalization;
using PlayChat_Game.Messages;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Transport;

if (args.Length is 0 or > 3)
{
    Console.Error.WriteLine("Usage: NAME [HOST] [PORT]");
    return 2;
}

string host = args.Length > 1 ? args[1] : "127.0.0.1";
int port = args.Length > 2 ? int.Parse(args[2], CultureInfo.InvariantCulture) : 7070;

// What the server sends, by message: the same router as the server's.
await using var connector = new PlayChatConnector(FrameFormat.Packet(), GamePackets.All, static router =>
{
    router.MapPacket<Said>(static (_, said) => Console.WriteLine($"{said.Name}: {said.Text}"));
    router.MapPacket<PlayerCame>(static (_, player) => Console.WriteLine($"* {player.Name} is here."));
    router.MapPacket<PlayerLeft>(static (_, player) => Console.WriteLine($"* {player.Name} has left."));
});

try
{
    Connection connection = await connector.ConnectAsync(host, port);
    Joined joined = await connection.RequestAsync<Joined>(new Join(args[0]), TimeSpan.FromSeconds(5));
    if (joined.Refusal is { } refusal)
    {
        Console.Error.WriteLine(refusal);
        return 1;
    }

    Console.WriteLine("You are in. What you type is heard by all; /quit ends.");
    foreach (string other in joined.Others)
    {
        Console.WriteLine($"* {other} is here.");
    }

    Task typing = Task.Run(() => ReadInput(connection));
    if (await Task.WhenAny(typing, connection.Closed) != typing)
    {
        Console.Error.WriteLine($"The server has gone: {await connection.Closed}.");
        return 1;
    }

    await typing; // throws what it has thrown
    return 0;
}
catch (Exception e) when (e is ConnectFailedException or ConnectionClosedException or TimeoutException)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}

static void ReadInput(Connection connection)
{
    while (Console.ReadLine() is { } line)
    {
        switch (line)
        {
            case "/quit":
                return;
            default:
                Send(connection, new Say(line));
                break;
        }
    }
}

static void Send(Connection connection, Say say)
{
    try
    {
        if (!connection.SendPacket(say))
        {
            Console.Error.WriteLine("Not sent: the connection has ended, or the server does not read.");
        }
    }
    catch (ArgumentException e)
    {
        Console.Error.WriteLine($"Not sent: {e.Message}"); // larger than a frame of FrameFormat.Packet()
    }
}
