using System.Text;
using Microsoft.Extensions.Configuration;

namespace PlayChat.Chat.Hosting;

/// <summary>What is printed when the server is ready: where it listens, where its files are, and what to try next.</summary>
internal static class StartBanner
{
    /// <remarks>The configuration has the paths of the log. The end points are those that are bound. What is null has no line.</remarks>
    public static string Create(
        ServerSettings settings, IConfiguration configuration, IReadOnlyList<EndPoint> endPoints, string? database, bool isPasswordless,
        string? webAddress = null, Uri? operationsAddress = null)
    {
        var text = new StringBuilder();
        text.Append(
            CultureInfo.InvariantCulture,
            $"{ServerVersion.Text}, {settings.Mode.ToString().ToLowerInvariant()} mode, {Transport(settings)}").AppendLine();
        foreach (EndPoint endPoint in endPoints)
        {
            string reach = endPoint is IPEndPoint ip && IPAddress.IsLoopback(ip.Address)
                ? "only this machine can reach it; --host 0.0.0.0 opens it"
                : "other machines can reach it";
            text.Append(CultureInfo.InvariantCulture, $"Listening on {endPoint} ({reach}).").AppendLine();
        }

        if (isPasswordless)
        {
            text.AppendLine(
                "Players log in by name alone: any client that reaches the server can take a name without a password. "
                    + "Accounts:AllowPasswordless=false requires passwords.");
        }

        if (database is not null)
        {
            Line(text, "Database", database);
            Line(
                text,
                "Chat log",
                settings.ChatLog.Directory.Length == 0 ? "in the database alone" : Path.GetFullPath(settings.ChatLog.Directory));
        }

        foreach (string path in LogFiles.Paths(configuration))
        {
            Line(text, "Log", path);
        }

        if (operationsAddress is not null)
        {
            Line(text, "Operations", operationsAddress.ToString());
        }

        if (webAddress is not null)
        {
            text.Append(CultureInfo.InvariantCulture, $"Open {webAddress} in a browser to chat.").AppendLine();
        }

        text.Append(Next(settings.Mode, endPoints[0])).AppendLine();
        return text.Append("Ctrl+C stops the server.").AppendLine().ToString();
    }

    private static string Transport(ServerSettings settings) => settings.Transport == ServerTransport.Linux ? "native Linux transport"
        : settings.InlineCompletions ? "socket transport with inline completions"
        : "socket transport";

    private static void Line(StringBuilder text, string what, string where) =>
        text.Append(CultureInfo.InvariantCulture, $"{what + ":",-10} {where}").AppendLine();

    private static string Next(ServerMode mode, EndPoint endPoint)
    {
        int port = endPoint is IPEndPoint ip ? ip.Port : 0;
        return mode switch
        {
            ServerMode.Chat => Try(
                "src", "PlayChat.Client", port == 7777 ? "" : string.Create(CultureInfo.InvariantCulture, $"--port {port}")),
            ServerMode.Echo => Try(
                "bench",
                "PlayChat.Benchmark",
                string.Create(CultureInfo.InvariantCulture, $"echo --framing length4 --connect 127.0.0.1:{port}")),
            ServerMode.Classroom => "Frames are length(2) + sender(2) + payload; each goes to every connection.",
            _ => "Frames are length(2) + sender(2) + payload; each goes to every connection of its room.",
        };
    }

    // The sources are there when the server was started from them, and are not where it was published to.
    private static string Try(string folder, string program, string arguments)
    {
        string project = $"{folder}/{program}";
        string start = !Directory.Exists(project) ? program
            : $"dotnet run {(folder == "bench" ? "-c Release " : "")}--project {project}{(arguments.Length == 0 ? "" : " --")}";
        return $"Try in another terminal: {start} {arguments}".TrimEnd();
    }
}
