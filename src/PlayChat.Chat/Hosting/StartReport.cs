using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Operations;
using PlayChat.Chat.Web;

namespace PlayChat.Chat.Hosting;

/// <summary>
/// Tells the operator that the server is ready: by the banner, or by a line of the log when each line of the output must be a JSON object.
/// </summary>
internal sealed class StartReport(
    ServerSettings settings,
    IConfiguration configuration,
    PlayChatServer server,
    WebEndpoint web,
    TextWriter console,
    IServiceProvider services,
    ILogger<StartReport> logger)
{
    /// <summary>Tells where the server listens. It has started.</summary>
    public void TellReady()
    {
        string? database = services.GetService<IChatStore>()?.Location;
        bool isPasswordless = services.GetService<PasswordlessRule>()?.IsInEffect == true;
        string? webAddress = web.AddressOf(server);
        Uri? operations = services.GetService<OperationsEndpoint>()?.Address;
        if (settings.Log.Format == LogFormat.Json)
        {
            ServerLog.Ready(
                logger, settings.Mode, string.Join(", ", server.EndPoints), isPasswordless, database, webAddress, operations?.ToString());
        }
        else
        {
            Print(StartBanner.Create(settings, configuration, server.EndPoints, database, isPasswordless, webAddress, operations));
        }
    }

    /// <summary>Tells that the server was stopped before it was ready.</summary>
    public void TellStoppedEarly()
    {
        if (settings.Log.Format == LogFormat.Json)
        {
            ServerLog.StoppedEarly(logger);
        }
        else
        {
            Print("Stopped before it had started." + Environment.NewLine);
        }
    }

    // The terminal may have closed while the server started. It then stops in order, with nothing to print to.
    private void Print(string text)
    {
        try
        {
            console.Write(text);
        }
        catch (IOException)
        {
        }
    }
}
