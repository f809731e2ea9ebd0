using System.Globalization;
using System.Net;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using Territory;

const string Help = """
    Two teams paint a field, in the browser.

      dotnet run --project samples/Territory -- --bots 16

    --port PORT   where the page is, on this machine; 0 for any port that is free (7200)
    --bots N      plays with so many bots, 0 to 200 (0)
    --help        this

    Exit code: 0, 1 when the server cannot listen, 2 when an option is wrong.

    """;

int port = 7200;
int bots = 0;
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
        default:
            Console.Error.WriteLine($"{args[i]} {value} is not understood; --help lists the options.");
            return 2;
    }
}

try
{
    await using PlayChatServer server = new PlayChatServer(
            options => options.ListenWebSocket($"127.0.0.1:{port}").WebSocket.Content = TerritoryHosting.ReadPage())
        .AddRoom<TerritoryRoom>(TerritoryRoom.Settings)
        .UseTerritory();
    await server.StartAsync(CancellationToken.None);
    port = ((IPEndPoint)server.EndPoints[0]).Port;
    await using var crowd = new Bots();
    await crowd.StartAsync(port, bots);
    Console.WriteLine($"Open http://127.0.0.1:{port}/ in a browser. Ctrl+C stops the server.");
    await server.RunAsync();
    return 0;
}
catch (ListenFailedException e)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}
