using PlayChat_Game.Server;
using Microsoft.Extensions.Hosting;

// Settings come from appsettings.json beside the program, the environment (PlayChat__Endpoints__0__Address=…) and the command line, the
// last one counts.
HostApplicationBuilder builder =
    Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { Args = args, ContentRootPath = AppContext.BaseDirectory });
builder.Services.AddPlayChat(
    static server => server.AddRoom<Lobby>(Lobby.RoomName).UseGame(),
    builder.Configuration.GetSection("PlayChat"));

// A misspelled setting or a port in use is one line in the log, and ends the program with exit code 1.
await builder.Build().RunAsync();
