using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PlayChat.Addresses;
using PlayChat.Protocol;

namespace PlayChat.Client.Cli;

/// <summary>The command line: its options, their rules and the help.</summary>
internal sealed class CommandLine
{
    private readonly Option<string> _host = new("--host")
    {
        Description = "The server's name or address.",
        HelpName = "HOST",
        DefaultValueFactory = _ => "127.0.0.1",
    };

    private readonly Option<int> _port = new("--port")
    {
        Description = "The server's port, 1 to 65535.",
        HelpName = "PORT",
        DefaultValueFactory = _ => 7777,
    };

    private readonly Option<string?> _url = new("--url")
    {
        Description = "The server's WebSocket address, ws://HOST:PORT/ws or wss:// with TLS, in place of --host, --port and --tls.",
        HelpName = "URL",
    };

    private readonly Option<string?> _nodes = new("--nodes")
    {
        Description = "The nodes of a cluster, in place of --host and --port. When one fails, the client returns on the next.",
        HelpName = "HOST:PORT,HOST:PORT",
    };

    private readonly Option<string?> _name = new("--name")
    {
        Description = $"Your name, 1 to {ChatLimits.MaxPlayerNameChars} characters. Without it the client asks.",
        HelpName = "NAME",
    };

    private readonly Option<string?> _password = new("--password")
    {
        Description = "Your password. Others on this machine may see it: better let the client ask, or use --password-stdin.",
        HelpName = "PASSWORD",
    };

    private readonly Option<bool> _passwordFromInput =
        new("--password-stdin") { Description = "Read the password from the first line of the piped input." };
    private readonly Option<bool> _tls = new("--tls") { Description = "Encrypt the connection." };

    private readonly Option<bool> _trustAny = new("--tls-trust-any")
    {
        Description = "With --tls: accept any certificate, such as one that the server has signed itself.",
    };

    private readonly Option<string?> _authorities = new("--tls-ca")
    {
        Description = "With --tls: accept a certificate that one of the authorities in this PEM file has signed, and no other.",
        HelpName = "FILE",
    };

    private readonly Option<bool> _plain =
        new("--plain") { Description = "Plain lines without colours or line editing, as with piped input or output." };

    private readonly Option<bool> _fullScreen = new("--tui")
    {
        Description = "Use the whole window. The default on a terminal of at least 80 columns and 20 rows.",
    };

    private readonly Option<bool> _lines = new("--line", "--no-tui")
    {
        Description = "Write line below line, for screen readers and terminals that keep what was said.",
    };

    private readonly Option<bool> _noReconnect = new("--no-reconnect")
    {
        Description = "End, or ask, when the connection is lost. Without it the client returns to its room by itself.",
    };

    private readonly RootCommand _root;

    public CommandLine()
    {
        _root = new RootCommand("The PlayChat console client: log in, create or join a room, and chat.")
        {
            _host, _port, _url, _nodes, _name, _password, _passwordFromInput, _tls, _authorities, _trustAny, _fullScreen, _lines, _plain,
            _noReconnect,
        };
        _host.Validators.Add(result => Require(result, !string.IsNullOrWhiteSpace(result.GetValue(_host)), "--host must not be empty."));
        _port.CustomParser = result =>
            ushort.TryParse(result.Tokens[0].Value, NumberStyles.None, CultureInfo.InvariantCulture, out ushort port) && port > 0
            ? port
            : Invalid(result, $"--port is '{result.Tokens[0].Value}'; allowed is 1 to 65535.");
        _url.Validators.Add(result => Require(
            result, ToUri(result.GetValue(_url)) is not null,
            $"--url is '{result.GetValue(_url)}'; allowed is ws://HOST:PORT/PATH or wss://HOST:PORT/PATH."));
        _nodes.Validators.Add(result => Require(
            result, ToNodes(result.GetValue(_nodes)) is not null,
            $"--nodes is '{result.GetValue(_nodes)}'; allowed is HOST:PORT, several with commas between them."));
        _name.Validators.Add(result =>
        {
            string? problem = ChatRules.FindPlayerNameProblem(result.GetValue(_name) ?? "");
            Require(result, problem is null, $"--name: {problem}");
        });
        _password.Validators.Add(result => Require(
            result, ChatRules.IsPassword(result.GetValue(_password)),
            $"--password must have at most {ChatLimits.MaxPasswordBytes} bytes of UTF-8."));
        _authorities.Validators.Add(result =>
        {
            string? problem = FindProblem(result.GetValue(_authorities)!);
            Require(result, problem is null, $"--tls-ca is '{result.GetValue(_authorities)}'; {problem}");
        });
        _root.Validators.Add(result =>
        {
            string? url = result.GetValue(_url);
            bool isEncrypted = result.GetValue(_tls) || ToUri(url)?.Scheme == Uri.UriSchemeWss;
            Require(result, !result.GetValue(_trustAny) || isEncrypted, "--tls-trust-any needs --tls, or --url with wss://.");
            Require(
                result, result.GetValue(_authorities) is null || isEncrypted, "--tls-ca needs --tls, or --url with wss://.");
            Require(
                result, result.GetValue(_authorities) is null || !result.GetValue(_trustAny),
                "--tls-ca and --tls-trust-any: use one of them.");
            Require(result, url is null || (result.GetResult(_host) is not { Implicit: false } && result.GetResult(_port)
                is not { Implicit: false } && !result.GetValue(_tls)), "--url and --host, --port or --tls: use one of them.");
            bool hasServer = url is not null
                || result.GetResult(_host) is { Implicit: false } || result.GetResult(_port) is { Implicit: false };
            Require(result, result.GetValue(_nodes) is null || !hasServer, "--nodes and --host, --port or --url: use one of them.");
            Require(result, !result.GetValue(_passwordFromInput)
                || result.GetValue(_password) is null, "--password and --password-stdin: use one of them.");
            Require(result, !result.GetValue(_fullScreen) || !(result.GetValue(_lines) || result.GetValue(_plain)),
                "--tui and --line or --plain: use one of them.");
        });

        HelpOption help = _root.Options.OfType<HelpOption>().Single();
        help.Action = new HelpWithNotes((HelpAction)help.Action!);
    }

    /// <summary>The rule for player names, as a sentence.</summary>
    public static string NameRule { get; } =
        $"A name has 1 to {ChatLimits.MaxPlayerNameChars} letters, digits, symbols and single spaces between them, no letters of two "
        + $"scripts that look alike, and is not {ChatLimits.SystemName}.";

    /// <summary>Reads the arguments; prints the help, the version or what is wrong with them.</summary>
    /// <returns>The options, or null and the code to end with.</returns>
    public (ClientOptions? Options, int ExitCode) Read(string[] args, TextWriter output, TextWriter error)
    {
        ParseResult result = _root.Parse(args);
        if (result.Errors.Count > 0 && result.Action is not HelpWithNotes)
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

    private static int Invalid(ArgumentResult result, string why)
    {
        result.AddError(why);
        return 0;
    }

    private static Uri? ToUri(string? url) => Uri.TryCreate(url, UriKind.Absolute, out Uri? uri)
        && (uri.Scheme == Uri.UriSchemeWs || uri.Scheme == Uri.UriSchemeWss)
        ? uri
        : null;

    // Null when one of them is no address. An IPv6 address stands in brackets.
    private static DnsEndPoint[]? ToNodes(string? nodes)
    {
        string[] all = (nodes ?? string.Empty).Split(',', StringSplitOptions.TrimEntries);
        DnsEndPoint[] known = [.. all.Select(ToNode).OfType<DnsEndPoint>()];
        return known.Length == all.Length ? known : null;
    }

    private static DnsEndPoint? ToNode(string node) =>
        HostPort.TryParse(node, out string? host, out ushort port) ? new DnsEndPoint(host, port) : null;

    private static string? FindProblem(string authorities)
    {
        try
        {
            var found = new X509Certificate2Collection();
            found.ImportFromPemFile(authorities);
            return found.Count > 0 ? null : "it holds no certificate in PEM.";
        }
        catch (Exception e) when (e is CryptographicException or IOException or UnauthorizedAccessException)
        {
            return $"reading it failed: {e.Message}";
        }
    }

    private ClientOptions Options(ParseResult result) => new()
    {
        Host = result.GetValue(_host)!,
        Port = result.GetValue(_port),
        Url = ToUri(result.GetValue(_url)),
        Nodes = result.GetValue(_nodes) is { } nodes ? ToNodes(nodes)! : [],
        Name = result.GetValue(_name),
        Password = result.GetValue(_password),
        PasswordFromInput = result.GetValue(_passwordFromInput),
        UseTls = result.GetValue(_tls),
        TrustAnyCertificate = result.GetValue(_trustAny),
        AuthoritiesFile = result.GetValue(_authorities),
        Plain = result.GetValue(_plain),
        FullScreen = result.GetValue(_fullScreen) ? true : result.GetValue(_lines) ? false : null,
        Reconnect = !result.GetValue(_noReconnect),
    };
}
