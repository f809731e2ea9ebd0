using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Parsing;
using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using PlayChat.Addresses;
using PlayChat.Tls;

namespace PlayChat.Client.Cli;

internal sealed class CommandLine
{
    // What the generated help cannot know.
    private const string Notes = """
        Examples:
          PlayChat.Client --name Ann                                 log in to 127.0.0.1:7777
          PlayChat.Client --host chat.example.org --tls --name Ann   over TLS
          PlayChat.Client --url ws://127.0.0.1:7780/ws --name Ann    over WebSocket
          printf '2\n1\nhello\n' | PlayChat.Client --name Bot        join room 1, say hello, leave

        Commands:
          /join ROOM, /create NAME, /exit, /rooms, /members, /history, /msg NAME TEXT, /me ACTION, /clear, /help, /quit
          //text                                       say "/text"
          /create NAME --type quiz --with level=easy   a room with a type and a property
          /rooms --type quiz --with level=easy         the rooms that have them

        Menu of plain lines, outside of rooms:
          1 create a room   2 join a room by its number or name   3 list the rooms   4 or q quit

        Keys:
          Up, Down   lines typed before
          Tab        complete a command, the name of a room after /join, of a player after /msg, or of a member
          Full screen: PgUp and PgDn scroll; at the oldest message PgUp reads earlier ones. Ctrl+N, Ctrl+P (Alt+Down, Alt+Up): next and
          previous room. Alt+1 to Alt+9: room by its number in the list. Alt+A: room with unread messages. Ctrl+F: search; Enter or Up
          older, Down newer, Esc end. Ctrl+L: draw the window anew.
          A paste of several lines is posted only after a question.

        Without a terminal the client asks nothing a second time: a refused login, or a room that it fails to create or join, ends it, and
        so does a connection that stays lost for a minute (with --no-reconnect, and where the server keeps no sessions: at once). What the
        server refuses only for the moment is said again, for up to a minute. At the end of the input the client waits until all that was
        said has been answered, leaves and ends. Errors go to the standard error output, also what was not sent.

        Exit codes:
          0  ended by the user, by the end of the input, or by Ctrl+C
          1  no connection, login or (without a terminal) room or message refused, or connection lost
          2  wrong arguments
        """;

    private readonly Option<string> _host = Valued(
        "--host", "HOST", "The server's name or address. 127.0.0.1 by default.",
        static text => string.IsNullOrWhiteSpace(text) ? null : text, "a name or an address");
    private readonly Option<int> _port = Valued(
        "--port", "PORT", "The server's port, 1 to 65535. 7777 by default.", ToPort, "1 to 65535");

    private readonly Option<Uri?> _url = Valued<Uri?>(
        "--url", "URL", "The server's WebSocket address, ws://HOST:PORT/ws or wss:// with TLS, in place of --host, --port and --tls.",
        parse: ToUri, rule: "ws://HOST:PORT/PATH or wss://HOST:PORT/PATH");

    private readonly Option<DnsEndPoint[]?> _nodes = Valued<DnsEndPoint[]?>(
        "--nodes", "HOST:PORT,HOST:PORT",
        "The nodes of a cluster, in place of --host and --port. When one fails, the client returns on the next.",
        parse: ToNodes, rule: "HOST:PORT, several with commas between them");

    private readonly Option<string?> _name = Valued<string?>(
        "--name", "NAME", $"Your name, 1 to {ChatLimits.MaxPlayerNameChars} characters. Without it the client asks.");

    private readonly Option<string?> _password = Valued<string?>(
        "--password", "PASSWORD", "Your password. Others on this machine may see it: better let the client ask, or use --password-stdin.");

    private readonly Option<RemoteCertificateValidationCallback?> _authorities = new("--tls-ca")
    {
        Description = "With --tls: accept a certificate that one of the authorities in this PEM file has signed, and no other.",
        HelpName = "FILE",
        CustomParser = ToAuthorities,
    };

    private readonly Option<bool> _passwordFromInput = Flag(
        "--password-stdin", "Read the password from the first line of the piped input.");
    private readonly Option<bool> _tls = Flag("--tls", "Encrypt the connection.");
    private readonly Option<bool> _trustAny = Flag(
        "--tls-trust-any", "With --tls: accept any certificate, such as one that the server has signed itself.");
    private readonly Option<bool> _fullScreen = Flag(
        "--tui", "Use the whole window. The default on a terminal of at least 80 columns and 20 rows.");
    private readonly Option<bool> _plain = Flag(
        "--plain", "Write line below line, for screen readers and terminals that keep what was said. The default elsewhere.",
        "--line", "--no-tui");
    private readonly Option<bool> _noReconnect = Flag(
        "--no-reconnect", "End, or ask, when the connection is lost. Without it the client returns to its room by itself.");

    private readonly RootCommand _root;

    public CommandLine()
    {
        _root = new RootCommand("The PlayChat console client: log in, create or join a room, and chat.")
        {
            _host, _port, _url, _nodes, _name, _password, _passwordFromInput, _tls, _authorities, _trustAny, _fullScreen, _plain,
            _noReconnect,
        };
        _name.Validators.Add(result =>
        {
            string? problem = ChatRules.FindPlayerNameProblem(result.GetValue(_name) ?? "");
            Require(result, problem is null, $"--name: {problem}");
        });
        _password.Validators.Add(result => Require(
            result, ChatRules.IsPassword(result.GetValue(_password)),
            $"--password must have at most {ChatLimits.MaxPasswordBytes} bytes of UTF-8."));
        _root.Validators.Add(result =>
        {
            bool Has(Option option) => result.GetResult(option) is { Implicit: false };
            bool isEncrypted = Has(_tls) || result.GetResult(_url)?.Tokens is [{ Value: var url }]
                && url.StartsWith(Uri.UriSchemeWss + ":", StringComparison.OrdinalIgnoreCase);
            Require(result, !Has(_trustAny) || isEncrypted, "--tls-trust-any needs --tls, or --url with wss://.");
            Require(result, !Has(_authorities) || isEncrypted, "--tls-ca needs --tls, or --url with wss://.");
            Require(result, !Has(_authorities) || !Has(_trustAny), "--tls-ca and --tls-trust-any: use one of them.");
            Require(result, !Has(_url) || !(Has(_host) || Has(_port) || Has(_tls)), "--url and --host, --port or --tls: use one of them.");
            Require(
                result, !Has(_nodes) || !(Has(_host) || Has(_port) || Has(_url)), "--nodes and --host, --port or --url: use one of them.");
            Require(result, !Has(_passwordFromInput) || !Has(_password), "--password and --password-stdin: use one of them.");
            Require(result, !Has(_fullScreen) || !Has(_plain), "--tui and --plain: use one of them.");
        });
    }

    public (ClientOptions? Options, int ExitCode) Read(string[] args, TextWriter output, TextWriter error)
    {
        ParseResult result = _root.Parse(args);
        if (result.Errors.Count > 0 && result.Action is not HelpAction)
        {
            foreach (ParseError problem in result.Errors)
            {
                error.WriteLine(problem.Message);
            }

            error.WriteLine("Use --help to see the options.");
            return (null, ExitCode.BadArguments);
        }

        if (result.Action is not null)
        {
            result.Invoke(new InvocationConfiguration { Output = output, Error = error });
            output.Write(result.Action is HelpAction ? Notes + Environment.NewLine : "");
            return (null, ExitCode.Success);
        }

        return (Options(result), ExitCode.Success);
    }

    private static void Require(SymbolResult result, bool holds, string otherwise)
    {
        if (!holds)
        {
            result.AddError(otherwise);
        }
    }

    private static Option<bool> Flag(string name, string description, params string[] aliases) =>
        new(name, aliases) { Description = description };

    /// <param name="parse">Gives the default of the type for what is not allowed by the rule.</param>
    private static Option<T> Valued<T>(
        string name, string helpName, string description, Func<string, T?>? parse = null, string rule = "")
    {
        var option = new Option<T>(name) { Description = description, HelpName = helpName };
        if (parse is not null)
        {
            option.CustomParser = result =>
            {
                string text = result.Tokens[0].Value;
                T? value = parse(text);
                Require(result, !Equals(value, default(T)), $"{name} is '{text}'; allowed is {rule}.");
                return value;
            };
        }

        return option;
    }

    private static int ToPort(string text) =>
        ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ushort port) ? port : 0;

    private static Uri? ToUri(string url) => Uri.TryCreate(url, UriKind.Absolute, out Uri? uri)
        && (uri.Scheme == Uri.UriSchemeWs || uri.Scheme == Uri.UriSchemeWss) ? uri : null;

    // Null when one of them is no address. An IPv6 address stands in brackets.
    private static DnsEndPoint[]? ToNodes(string nodes)
    {
        DnsEndPoint?[] all = [.. nodes.Split(',', StringSplitOptions.TrimEntries).Select(static node =>
            HostPort.TryParse(node, out string? host, out ushort port) ? new DnsEndPoint(host, port) : null)];
        return all.Contains(null) ? null : [.. all.OfType<DnsEndPoint>()];
    }

    private static RemoteCertificateValidationCallback? ToAuthorities(ArgumentResult result)
    {
        string file = result.Tokens[0].Value;
        try
        {
            return PrivateAuthorities.TrustOnly(file);
        }
        catch (Exception e) when (e is CryptographicException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            result.AddError($"--tls-ca is '{file}'; reading it failed: {e.Message}");
            return null;
        }
    }

    private ClientOptions Options(ParseResult result) => new()
    {
        Nodes = result.GetValue(_nodes) is { Length: > 0 } nodes ? nodes
            : [new DnsEndPoint(result.GetValue(_host) ?? "127.0.0.1", result.GetValue(_port) is > 0 and int port ? port : 7777)],
        Url = result.GetValue(_url),
        Name = result.GetValue(_name),
        Password = result.GetValue(_password),
        PasswordFromInput = result.GetValue(_passwordFromInput),
        UseTls = result.GetValue(_tls),
#pragma warning disable CA5359 // To accept any certificate is what the option is for.
        CertificateValidation = result.GetValue(_trustAny) ? static (_, _, _, _) => true : result.GetValue(_authorities),
#pragma warning restore CA5359
        FullScreen = result.GetValue(_fullScreen) ? true : result.GetValue(_plain) ? false : null,
        Reconnect = !result.GetValue(_noReconnect),
    };
}
