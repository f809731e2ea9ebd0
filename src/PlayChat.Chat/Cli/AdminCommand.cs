using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using PlayChat.Chat.Operations.Admin;
using PlayChat.Chat.Operations.Admin.Models;

namespace PlayChat.Chat.Cli;

/// <summary><c>admin …</c>: what an operator asks of a running server, over its admin API.</summary>
internal sealed class AdminCommand
{
    /// <summary>The first argument of the program that means this.</summary>
    public const string Word = "admin";

    // A measurement takes up to ten seconds.
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(30);

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly TimeSpan _timeout;

    private readonly Option<string?> _url = new("--url")
    {
        Description = "Address of the operations endpoint, such as http://127.0.0.1:7781. Default: as the server is configured.",
        Recursive = true,
    };

    private readonly Option<string?> _tokenFile = new("--token-file")
    {
        Description = "File whose first line is the server's Operations:Token. Default: the token in the server's configuration.",
        Recursive = true,
    };

    private readonly Option<string?> _certificate = new("--certificate")
    {
        Description = "Certificate file of the operations endpoint, to accept a certificate that the system does not trust.",
        Recursive = true,
    };

    private readonly Option<string?> _config = new("--config")
    {
        Description = "The server's configuration file, if it is not the appsettings.json beside the program.",
        Recursive = true,
    };

    private readonly Option<bool> _json = new("--json") { Description = "Print the JSON of the answer.", Recursive = true };
    private readonly Option<string?> _find = new("--find") { Description = "Only names and addresses that contain this text." };
    private readonly Option<string?> _sort = new("--sort") { Description = "The order of the lines; 'id' by default." };

    /// <param name="input">Where passwords come from.</param>
    /// <param name="output">Gets the answers.</param>
    /// <param name="error">Gets the problems.</param>
    /// <param name="timeout">How long a server may take to answer what needs no patience; by default 30 seconds.</param>
    public AdminCommand(IOperatorInput input, TextWriter output, TextWriter error, TimeSpan? timeout = null)
    {
        _timeout = timeout ?? s_timeout;
        var accounts = new AdminAccountCommands(this, input);
        _output = output;
        _error = error;
        Command = new Command(
            Word,
            "Asks a running PlayChat server, or tells it something, over its operations endpoint (Operations:Enabled=true).")
        {
            _url, _tokenFile, _certificate, _config, _json,
            Status(), Sessions(), Rooms(), Closes(), Heap(), Close(), Notice(), RemoveRoom(), Drain(), LogLevel(), Limits(),
            accounts.Accounts(), accounts.Bans(), new AdminWebhookCommands(this).Webhooks(),
        };
    }

    public Command Command { get; }

    internal Option<int> Limit { get; } = new("--limit") { Description = "Number of lines, 1 to 1000.", DefaultValueFactory = _ => 20 };

    internal Option<long> After { get; } = new("--after") { Description = "Continue after this id." };

    internal delegate Task<string> Work(AdminClient client, ParseResult result, CancellationToken cancellationToken);

    /// <param name="args">What follows <see cref="Word"/>.</param>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public Task<int> RunAsync(IReadOnlyList<string> args) => CommandLines.RunAsync(Command, args, _output, _error);

    /// <summary>Writes the query of a URL; parameters without a value are left out.</summary>
    internal static string Query(params (string Name, object? Value)[] values) => string.Join('&', values
        .Where(static pair => pair.Value is not null)
        .Select(static pair => $"{pair.Name}={Uri.EscapeDataString(Convert.ToString(pair.Value, CultureInfo.InvariantCulture)!)}"));

    private Command Status() => Read(
        new Command("status", "Whether all is well."), AdminJson.Default.ServerStatus, AdminTables.Of, _ => "/status");

    private Command Heap() => Read(
        new Command("heap", "Heap and threads."), AdminJson.Default.RuntimeInfo, AdminTables.Of, _ => "/runtime");

    private Command Sessions()
    {
        Argument<long?> id = new("id") { Description = "One session.", Arity = ArgumentArity.ZeroOrOne };
        Option<string?> state = new("--state") { Description = "connected, anonymous, away, closing or slow." };
        Option<long?> room = new("--room") { Description = "Only members of this room." };
        _sort.Description = "id, queued, blocked, received, sent or rate (rooms: id, members, queued or rate).";
        var command = new Command("sessions", "Lists sessions, or shows one with its rates.")
        {
            id, state, room, _find, _sort, Limit, After,
        };
        return Run(command, async (client, result, cancel) => result.GetValue(id) is { } one
            ? Show(
                await client.GetAsync($"/sessions/{one}?measureMs=1000", cancel),
                result,
                AdminJson.Default.SessionInfo,
                static session => AdminTables.Of([session]))
            : Show(
                await client.GetAsync("/sessions?" + Query(
                    ("state", result.GetValue(state)),
                    ("room", result.GetValue(room)),
                    ("text", result.GetValue(_find)),
                    ("sort", result.GetValue(_sort)),
                    ("limit", result.GetValue(Limit)),
                    ("after", result.GetValue(After))), cancel),
                result,
                AdminJson.Default.PageSessionInfo,
                page => AdminTables.Of(page, result.GetValue(state))));
    }

    private Command Rooms()
    {
        Argument<long?> id = new("id") { Description = "One room.", Arity = ArgumentArity.ZeroOrOne };
        var command = new Command("rooms", "Lists rooms, or shows one with its members and its rate.") { id, _find, _sort, Limit, After };
        return Run(command, async (client, result, cancel) => result.GetValue(id) is { } one
            ? Show(await client.GetAsync($"/rooms/{one}?measureMs=1000", cancel), result, AdminJson.Default.RoomDetail, AdminTables.Of)
            : Show(
                await client.GetAsync("/rooms?" + Query(
                    ("text", result.GetValue(_find)),
                    ("sort", result.GetValue(_sort)),
                    ("limit", result.GetValue(Limit)),
                    ("after", result.GetValue(After))), cancel),
                result,
                AdminJson.Default.PageRoomSummary,
                AdminTables.Of));
    }

    private Command Closes()
    {
        Option<string?> reason = new("--reason") { Description = "Only this reason, such as SlowConsumer." };
        var command = new Command("closes", "The last 1,000 ends of connections and why they ended.") { reason, _find, Limit };
        return Read(command, AdminJson.Default.CloseList, AdminTables.Of, result => "/closes?" + Query(
            ("reason", result.GetValue(reason)), ("text", result.GetValue(_find)), ("limit", result.GetValue(Limit))));
    }

    private Command Close()
    {
        Argument<long?> id = new("id") { Description = "The session.", Arity = ArgumentArity.ZeroOrOne };
        Option<string?> player = new("--player")
        {
            Description = "The session of this player instead, on whichever node of a cluster it is.",
        };
        Option<string?> message = new("--message") { Description = "The message that the player sees." };
        var command = new Command("close", "Closes a session. Its player may log in again.") { id, player, message };
        command.Validators.Add(result =>
        {
            if ((result.GetValue(id) is null) == (result.GetValue(player) is null))
            {
                result.AddError("Name a session by its id, or a player by --player.");
            }
        });
        return Act(command, (client, result, cancel) => client.SendAsync(
            HttpMethod.Post,
            result.GetValue(player) is { } name ? $"/players/{Uri.EscapeDataString(name)}/close" : $"/sessions/{result.GetValue(id)}/close",
            new CloseRequest(result.GetValue(message)),
            AdminJson.Default.CloseRequest,
            cancel));
    }

    private Command Notice()
    {
        Argument<string> text = new("text") { Description = "The message that players see." };
        Option<long?> session = new("--session") { Description = "Only this session." };
        Option<long?> room = new("--room") { Description = "Only the members of this room." };
        Option<string?> player = new("--player") { Description = "Only this player, on whichever node of a cluster it is." };
        var command = new Command("notice", "Tells all players something, or one session, a room or a player.")
        {
            text, session, room, player,
        };
        command.Validators.Add(result =>
        {
            int receivers = (result.GetValue(session) is null ? 0 : 1)
                + (result.GetValue(room) is null ? 0 : 1)
                + (result.GetValue(player) is null ? 0 : 1);
            if (receivers > 1)
            {
                result.AddError("--session, --room and --player: use one of them.");
            }
        });
        return Act(command, (client, result, cancel) => client.SendAsync(
            HttpMethod.Post,
            result.GetValue(session) is { } one ? $"/sessions/{one}/notice"
                : result.GetValue(room) is { } id ? $"/rooms/{id}/notice"
                : result.GetValue(player) is { } name ? $"/players/{Uri.EscapeDataString(name)}/notice"
                : "/notice",
            new NoticeRequest(result.GetValue(text)),
            AdminJson.Default.NoticeRequest,
            cancel));
    }

    private Command RemoveRoom()
    {
        Argument<long> id = new("id") { Description = "The room." };
        var command = new Command("remove-room", "Removes a chat room that has no members. What was said in it stays stored.") { id };
        return Act(command, (client, result, cancel) => client.SendAsync(HttpMethod.Delete, $"/rooms/{result.GetValue(id)}", cancel));
    }

    private Command Drain()
    {
        Option<bool> yes = new("--yes") { Description = "Confirms that the server should stop." };
        var command = new Command("drain", "Stops the server after it has notified its clients and stored all messages.") { yes };
        command.Validators.Add(result =>
        {
            if (!result.GetValue(yes))
            {
                result.AddError("drain stops the server. Confirm with --yes.");
            }
        });
        return Act(command, static (client, _, cancel) => client.SendAsync(HttpMethod.Post, "/drain", cancel));
    }

    private Command LogLevel()
    {
        Argument<string?> level = new("level")
        {
            Description = "The new level: Verbose, Debug, Information, Warning, Error or Fatal.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        Option<string?> source = new("--source") { Description = "A source that the list shows. Default: Default." };
        var command = new Command("log-level", "Lists the log levels, or changes one until the next reload or restart.") { level, source };
        return Run(command, async (client, result, cancel) => result.GetValue(level) is { } wanted
            ? ShowDone(
                await client.SendAsync(
                    HttpMethod.Put,
                    "/log-levels",
                    new LogLevelRequest(result.GetValue(source), wanted),
                    AdminJson.Default.LogLevelRequest,
                    cancel),
                result)
            : Show(await client.GetAsync("/log-levels", cancel), result, AdminJson.Default.IReadOnlyListLogLevelInfo, AdminTables.Of));
    }

    private Command Limits()
    {
        Argument<string?> key = new("key") { Description = "A key, or a part of one.", Arity = ArgumentArity.ZeroOrOne };
        Argument<string?> value = new("value") { Description = "The new value.", Arity = ArgumentArity.ZeroOrOne };
        Option<bool> changeable = new("--changeable") { Description = "Only those that can be changed now." };
        var command = new Command("limits", "Lists the settings, or changes one until the next reload or restart.")
        {
            key, value, changeable,
        };
        return Run(command, async (client, result, cancel) => result.GetValue(value) is { } wanted
            ? ShowDone(
                await client.SendAsync(
                    HttpMethod.Put,
                    $"/limits/{Uri.EscapeDataString(result.GetValue(key)!)}",
                    new ValueRequest(wanted),
                    AdminJson.Default.ValueRequest,
                    cancel),
                result)
            : Show(
                await client.GetAsync("/limits?" + Query(
                    ("text", result.GetValue(key)), ("changeable", result.GetValue(changeable) ? "true" : "false")), cancel),
                result,
                AdminJson.Default.IReadOnlyListLimitInfo,
                AdminTables.Of));
    }

    /// <summary>Makes a command print what a path has.</summary>
    internal Command Read<TAnswer>(
        Command command, JsonTypeInfo<TAnswer> type, Func<TAnswer, string> format, Func<ParseResult, string> path) =>
        Run(command, async (client, result, cancel) => Show(await client.GetAsync(path(result), cancel), result, type, format));

    /// <summary>Makes a command print what the server says it has done.</summary>
    internal Command Act(Command command, Work work, bool isPatient = false) =>
        Run(command, async (client, result, cancel) => ShowDone(await work(client, result, cancel), result), isPatient);

    /// <summary>Formats an answer for a person, or returns its JSON with <c>--json</c>.</summary>
    private string Show<TAnswer>(string answer, ParseResult result, JsonTypeInfo<TAnswer> type, Func<TAnswer, string> format) =>
        result.GetValue(_json) ? answer + "\n" : format(JsonSerializer.Deserialize(answer, type)!);

    private string ShowDone(string answer, ParseResult result) =>
        Show(answer, result, AdminJson.Default.ActionResult, static done => done.Message + "\n");

    /// <summary>Makes a command do its work with the server that its options name.</summary>
    /// <param name="command">The command.</param>
    /// <param name="work">Its work.</param>
    /// <param name="isPatient">Whether the server may take any time, because it reads through all rooms.</param>
    internal Command Run(Command command, Work work, bool isPatient = false)
    {
        command.SetAction(async (result, cancel) =>
        {
            try
            {
                using AdminClient client = TargetOf(result).Connect(isPatient ? Timeout.InfiniteTimeSpan : _timeout);
                await _output.WriteAsync(await work(client, result, cancel));
                return ExitCode.Success;
            }
            catch (StartException e)
            {
                await _error.WriteLineAsync(e.Message);
                return e.IsBadArgument ? ExitCode.BadArguments : ExitCode.Failed;
            }
        });
        return command;
    }

    private AdminTarget TargetOf(ParseResult result)
    {
        string? url = result.GetValue(_url);
        Uri? address = null;
        return url is null || (Uri.TryCreate(url, UriKind.Absolute, out address) && address.Scheme is "http" or "https")
            ? new AdminTarget(address, result.GetValue(_tokenFile), result.GetValue(_certificate), result.GetValue(_config))
            : throw new StartException($"--url is '{url}'; allowed is an address such as http://127.0.0.1:7781.") { IsBadArgument = true };
    }
}
