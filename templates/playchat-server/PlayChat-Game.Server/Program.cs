using PlayChat_Game.Server;
using Microsoft.Extensions.Hosting;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;

// Settings come from appsettings.json beside the program, the environment (PlayChat__Endpoints__0__Address=…) and the command line, the
// last one counts.
HostApplicationBuilder builder =
    Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { Args = args, ContentRootPath = AppContext.BaseDirectory });
builder.Services.AddPlayChat(
    static server => server.AddRoom<Lobby>(Lobby.RoomName).UseGame(),
    builder.Configuration.GetSection("PlayChat"));
try
{
    await builder.Build().RunAsync();
    return 0;
}
catch (Exception e) when (e is OptionsException or ListenFailedException)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}
