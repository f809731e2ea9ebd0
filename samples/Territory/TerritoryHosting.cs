using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.WebSockets;

namespace Territory;

/// <summary>Maps the packets, and serves the page.</summary>
internal static class TerritoryHosting
{
    private const string LobbyName = "lobby";

    /// <param name="server">A server that is not started.</param>
    /// <param name="scores">Where the best players are kept.</param>
    public static PlayChatServer UseTerritory(this PlayChatServer server, Scores scores)
    {
        server.Options.Sessions.ResumeWindow = TimeSpan.FromSeconds(30);
        server.AddRoom(LobbyName, context => new Lobby(context, scores));
        server.AddRoom(TerritoryRoom.Settings, context => new TerritoryRoom(context, scores)); // the lobby creates more
        return server.UsePackets(TerritoryPackets.All)
            .UseLogin(new LoginRules<Join, Joined>
            {
                // Players have no accounts: each page is a guest of its own, and the token is all that it comes back with.
                Identify = (context, join, _) => new(join.IsSpectator || IsName(join.Name)
                    ? new SessionUser(context.Session.Id, $"guest {context.Session.Id}")
                    : LoginDecision.Refuse("A name has 1 to 16 letters, digits or spaces between them.")),
                Resume = join => new ResumeClaim(join.Token),
                Admit = (context, join, _, _) =>
                {
                    // It then gets a patch from this revision on, if that is smaller than a snapshot.
                    context.Session.FindRoom<TerritoryRoom>()?.Sync.Confirm(context.Connection, join.Revision);
                    return default;
                },
                Enter = async (context, join, stop) => join.IsSpectator
                    ? (await context.Rooms.All.OfType<TerritoryRoom>().MaxBy(static room => room.MemberCount)!
                        .JoinAsync(context.Session, default, cancellationToken: stop)).Reason
                    : (await context.Rooms.Get<Lobby>(LobbyName).JoinAsync(context.Session, join, cancellationToken: stop)).Reason,
                Answer = result => new Joined(result.Session.Id, result.Token, result.Refusal),
            })
            .OnPackets(router => router.MapPacketHandlers());
    }

    /// <summary>The page and its script, which are part of the program.</summary>
    public static WebContent ReadPage()
    {
        var headers = new Dictionary<string, string>
        {
            ["Cache-Control"] = "no-cache",
            ["Content-Security-Policy"] = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'",
        };
        return new WebContent()
            .Add("/", "text/html; charset=utf-8", Read("index.html"), headers)
            .Add("/app.js", "text/javascript; charset=utf-8", Read("app.js"), headers);
    }

    private static bool IsName(string name) => name.Length is > 0 and <= 16 && name.Trim() == name
        && name.All(static character => char.IsLetterOrDigit(character) || character == ' ');

    private static byte[] Read(string name)
    {
        using Stream stream = typeof(TerritoryHosting).Assembly.GetManifestResourceStream(name)!;
        byte[] body = new byte[stream.Length];
        stream.ReadExactly(body);
        return body;
    }
}
