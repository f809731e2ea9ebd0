using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Parsing;
using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using PlayChat.Addresses;
using PlayChat.Tls;

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
        CustomParser = result => Parse(result, ToPort, "allowed is 1 to 65535."),
    };

    private readonly Option<Uri?> _url = new("--url")
    {
        Description = "The server's WebSocket address, ws://HOST:PORT/ws or wss:// with TLS, in place of --host, --port and --tls.",
        HelpName = "URL",
        CustomParser = result => Parse(result, ToUri, "allowed is ws://HOST:PORT/PATH or wss://HOST:PORT/PATH."),
    };

    private readonly Option<DnsEndPoint[]?> _nodes = new("--nodes")
    {
        Description = "The nodes of a cluster, in place of --host and --port. When one fails, the client returns on the next.",
        HelpName = "HOST:PORT,HOST:PORT",
        CustomParser = result => Parse(result, ToNodes, "allowed is HOST:PORT, several with commas between them."),
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

    private readonly Option<RemoteCertificateValidationCallback?> _authorities = new("--tls-ca")
    {
        Description = "With --tls: accept a certificate that one of the authorities in this PEM file has signed, and no other.",
        HelpName = "FILE",
        CustomParser = ToAuthorities,
    };

    private readonly Option<bool> _fullScreen = new("--tui")
    {
        Description = "Use the whole window. The default on a terminal of at least 80 columns and 20 rows.",
    };

    private readonly Option<bool> _plain = new("--plain", "--line", "--no-tui")
    {
        Description = "Write line below line, for screen readers and terminals that keep what was said. The default elsewhere.",
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
            _host, _port, _url, _nodes, _name, _password, _passwordFromInput, _tls, _authorities, _trustAny, _fullScreen, _plain,
            _noReconnect,
        };
        _host.Validators.Add(result => Require(result, !string.IsNullOrWhiteSpace(result.GetValue(_host)), "--host must not be empty."));
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

        HelpOption help = _root.Options.OfType<HelpOption>().Single();
        help.Action = new HelpWithNotes((HelpAction)help.Action!);
    }

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

    private static T? Parse<T>(ArgumentResult result, Func<string, T?> parse, string rule)
    {
        string text = result.Tokens[0].Value;
        T? value = parse(text);
        Require(result, !Equals(value, default(T)), $"{((OptionResult)result.Parent!).Option.Name} is '{text}'; {rule}");
        return value;
    }

    private static int ToPort(string text) =>
        ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ushort port) ? port : 0;

    private static Uri? ToUri(string url) => Uri.TryCreate(url, UriKind.Absolute, out Uri? uri)
        && (uri.Scheme == Uri.UriSchemeWs || uri.Scheme == Uri.UriSchemeWss)
        ? uri
        : null;

    // Null when one of them is no address. An IPv6 address stands in brackets.
    private static DnsEndPoint[]? ToNodes(string nodes)
    {
        string[] all = nodes.Split(',', StringSplitOptions.TrimEntries);
        DnsEndPoint[] known = [.. all.Select(ToNode).OfType<DnsEndPoint>()];
        return known.Length == all.Length ? known : null;
    }

    private static DnsEndPoint? ToNode(string node) =>
        HostPort.TryParse(node, out string? host, out ushort port) ? new DnsEndPoint(host, port) : null;

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
        Host = result.GetValue(_host)!,
        Port = result.GetValue(_port),
        Url = result.GetValue(_url),
        Nodes = result.GetValue(_nodes) ?? [],
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
