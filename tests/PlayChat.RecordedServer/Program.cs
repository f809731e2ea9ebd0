using Microsoft.Extensions.DependencyInjection;
using PlayChat.Chat;
using PlayChat.RecordedServer;
using PlayChat.Recording;

// The chat server with a room of a user that operators can record, for the tests of the dashboard. Two players play in it. The arguments
// are those of PlayChat.Server.
return await ChatProgram.RunAsync(args, static chat =>
{
    Table.AddTo(chat, new RoomRecordings(static options => options.RecordsBodies = true));
    chat.Services.AddHostedService<Players>();
});
