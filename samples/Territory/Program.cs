using System.Globalization;
using System.Net;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.Players;
using PlayChat.Storage;
using PlayChat.Storage.Sqlite;
using Territory;

const string Help = """
    Two teams paint a field, in the browser.

      dotnet run --project samples/Territory -- --bots 16

    --port PORT     where the page is, on this machine; 0 for any port that is free (7200)
    --bots N        plays with so many bots, 0 to 200 (0)
    --scores FILE   keeps the best players there (territory.db)
    --help          this

    Exit code: 0, 1 when the server does not start, 2 when an option is wrong.

    """;

int port = 7200;
int bots = 0;
string file = "territory.db";
for (int i = 0; i < args.Length; i += 2)
{
    string value = i + 1 < args.Length ? args[i + 1] : "";
    bool isNumber = int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int number);
    switch (args[i])
    {
        case "--help":
            Console.Write(Help);
            return 0;
        case "--port" when isNumber && number <= ushort.MaxValue:
            port = number;
            break;
        case "--bots" when isNumber && number <= 200:
            bots = number;
            break;
        case "--scores" when value.Length > 0:
            file = value;
            break;
        default:
            Console.Error.WriteLine($"{args[i]} {value} is not understood; --help lists the options.");
            return 2;
    }
}

try
{
    await using PlayerStore store = PlayerStore.OnSqlite(new SqliteStoreOptions { Path = file });
    await store.InitializeAsync();
    await using PlayChatServer server = new PlayChatServer(
            options => options.ListenWebSocket($"127.0.0.1:{port}").WebSocket.Content = TerritoryHosting.ReadPage())
        .UseTerritory(new Scores(store));
    await server.StartAsync(CancellationToken.None);
    port = ((IPEndPoint)server.EndPoints[0]).Port;
    await using var crowd = new Bots();
    await crowd.StartAsync(port, bots);
    Console.WriteLine($"Open http://127.0.0.1:{port}/ in a browser. Ctrl+C stops the server.");
    await server.RunAsync();
    return 0;
}
catch (Exception e) when (e is ListenFailedException or StorageException)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}
