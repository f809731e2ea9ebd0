using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.WebSockets;

namespace Territory;

/// <summary>Maps the packets, and serves the page.</summary>
internal static class TerritoryHosting
{
    /// <param name="server">A server that is not started.</param>
    public static PlayChatServer UseTerritory(this PlayChatServer server)
    {
        server.Options.Sessions.ResumeWindow = TimeSpan.FromSeconds(30);
        return server.UsePackets(TerritoryPackets.All).OnPackets(router =>
        {
            router.MapPacketHandlers();
            router.MapPacket<Join>(async (context, join, stop) =>
            {
                JoinResult<Seat> result = await context.Rooms.Get<TerritoryRoom>(TerritoryRoom.Title)
                    .JoinAsync(context.Session, join, cancellationToken: stop);
                context.Reply(result.IsEntered
                    ? new Joined(context.Session.Id, await server.Sessions.IssueResumeTokenAsync(context.Session))
                    : new Joined(0, default, result.Reason));
            });
            router.MapPacket<Resume>(async (context, resume, _) =>
            {
                Resumption? resumption = await server.Sessions.ResumeAsync(context.Connection, resume.Token, moved =>
                {
                    context.Reply(new Joined(moved.Session.Id, moved.Token));
                    // It then gets a patch from this revision on, if that is smaller than a snapshot.
                    context.Rooms.Get<TerritoryRoom>(TerritoryRoom.Title).Sync.Confirm(context.Connection, resume.Revision);
                    return default;
                });
                if (resumption is null)
                {
                    context.Reply(new Joined(0, default, "The seat is gone. Load the page again."));
                }
            });
        });
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

    private static byte[] Read(string name)
    {
        using Stream stream = typeof(TerritoryHosting).Assembly.GetManifestResourceStream(name)!;
        byte[] body = new byte[stream.Length];
        stream.ReadExactly(body);
        return body;
    }
}
