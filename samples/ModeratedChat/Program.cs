using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using ModeratedChat;
using PlayChat.Chat;

string? keys = Environment.GetEnvironmentVariable("MODERATEDCHAT_KEYS");
return await ChatProgram.RunAsync(args, chat =>
{
    if (keys is not null)
    {
        var options = new JwtOptions { Keys = File.ReadAllText(keys), Issuer = "https://login.example.org", Audiences = ["chat"] };
        chat.Services.AddSingleton(provider => new JwtAuthenticator(options, loggers: provider.GetRequiredService<ILoggerFactory>()));
        chat.UseAuthenticator<CompanyLogin>();
    }

    chat.Services.AddSingleton<Reviews>();
    chat.AddRules<WordList>().AddRules<DiceBot>().AddPackets(Reviews.Packets, static router => router.MapPacketHandlers());
});
