using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PlayChat.Client.Cli;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests;

public sealed class CommandLineTests
{
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    [Fact]
    public void Without_arguments_the_server_is_the_one_on_this_machine()
    {
        ClientOptions? options = Read().Options;

        Assert.NotNull(options);
        Assert.Equal("127.0.0.1:7777", options.Server);
        Assert.True(options.Reconnect && options.ToChatClientOptions(isInteractive: true).Reconnect);
        Assert.Null(options.Name);
        Assert.False(options.UseTls || options.PasswordFromInput);
        Assert.Null(options.FullScreen);
        Assert.Null(options.CertificateValidation);
    }

    [Fact]
    public void Every_option_is_read()
    {
        ClientOptions? options = Read(
            "--host", "::1", "--port", "7000", "--name", "민수", "--password",
            "p", "--tls", "--tls-trust-any", "--plain", "--no-reconnect").Options;

        Assert.NotNull(options);
        Assert.Equal("[::1]:7000", options.Server);
        Assert.Equal(("민수", "p"), (options.Name, options.Password));
        Assert.True(options.UseTls && options.FullScreen == false && !options.Reconnect);
        Assert.False(options.ToChatClientOptions(isInteractive: true).Reconnect);
        Assert.NotNull(options.ToChatClientOptions(isInteractive: true).TlsCertificateValidation);
    }

    [Fact]
    public void A_private_authority_vouches_for_the_servers_that_it_has_signed_and_for_no_others()
    {
        using TemporaryDirectory folder = new();
        string file = folder.Combine("ca.pem");
        using X509Certificate2 authority = MakeAuthority("CN=ours");
        using X509Certificate2 stranger = MakeAuthority("CN=another");
        File.WriteAllText(file, authority.ExportCertificatePem());

        RemoteCertificateValidationCallback judge =
            Read("--tls", "--tls-ca", file).Options!.ToChatClientOptions(isInteractive: true).TlsCertificateValidation!;

        using X509Certificate2 ours = Sign(authority);
        using X509Certificate2 theirs = Sign(stranger);
        Assert.True(judge(this, ours, null, SslPolicyErrors.RemoteCertificateChainErrors));
        Assert.False(judge(this, theirs, null, SslPolicyErrors.RemoteCertificateChainErrors));
        Assert.False(judge(this, ours, null, SslPolicyErrors.RemoteCertificateNameMismatch));
        Assert.Null(Read("--tls-ca", file).Options);
        File.WriteAllText(file, "no certificate");
        Assert.Null(Read("--tls", "--tls-ca", file).Options);
        Assert.Contains("reading it failed: It holds no certificate in PEM.", _error.ToString(), StringComparison.Ordinal);
        Assert.Contains("--tls-ca needs --tls", _error.ToString(), StringComparison.Ordinal);

        static X509Certificate2 MakeAuthority(string name)
        {
            using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
            var request = new CertificateRequest(name, key, HashAlgorithmName.SHA256);
            request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
            return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        }

        static X509Certificate2 Sign(X509Certificate2 signer)
        {
            using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
            var request = new CertificateRequest("CN=chat.example.org", key, HashAlgorithmName.SHA256);
            return request.Create(signer, DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddHours(1), [1, 2, 3]);
        }
    }

    [Fact]
    public void A_WebSocket_address_takes_the_place_of_host_and_port()
    {
        ClientOptions? options = Read("--url", "wss://chat.example.org/ws", "--tls-trust-any").Options;

        Assert.NotNull(options);
        Assert.Equal((new Uri("wss://chat.example.org/ws"), "wss://chat.example.org/ws"), (options.Url, options.Server));
        Assert.NotNull(options.ToChatClientOptions(isInteractive: true).TlsCertificateValidation);
    }

    [Fact]
    public void The_nodes_of_a_cluster_take_the_place_of_host_and_port()
    {
        ClientOptions? options = Read("--nodes", "127.0.0.1:7801, [::1]:7802", "--tls").Options;

        Assert.NotNull(options);
        Assert.Equal([("127.0.0.1", 7801), ("::1", 7802)], options.Nodes.Select(static node => (node.Host, node.Port)));
        Assert.Equal("127.0.0.1:7801, [::1]:7802", options.Server);
    }

    [Theory]
    [InlineData("--port 0", "allowed is 1 to 65535")]
    [InlineData("--port 65536", "allowed is 1 to 65535")]
    [InlineData("--port x", "--port is 'x'; allowed is 1 to 65535")]
    [InlineData("--name SYSTEM", "--name: The name is reserved: the server speaks as SYSTEM.")]
    [InlineData("--name ad\u0430", "--name: The name mixes letters of the Latin, Greek and Cyrillic scripts")]
    [InlineData("--tls-trust-any", "needs --tls")]
    [InlineData("--tls-ca no-such.pem --tls", "--tls-ca is 'no-such.pem'; reading it failed: ")]
    [InlineData("--url http://localhost/ws", "allowed is ws://HOST:PORT/PATH or wss://HOST:PORT/PATH")]
    [InlineData("--url localhost:7780", "--url is 'localhost:7780'")]
    [InlineData("--url ws://localhost/ws --port 7000", "use one of them")]
    [InlineData("--url ws://localhost/ws --host localhost", "use one of them")]
    [InlineData("--url ws://localhost/ws --tls", "use one of them")]
    [InlineData("--url ws://localhost/ws --tls-trust-any", "--url with wss://")]
    [InlineData("--nodes a:1,b", "--nodes is 'a:1,b'; allowed is HOST:PORT, several with commas between them.")]
    [InlineData("--nodes a:1,[]:2", "--nodes is 'a:1,[]:2'")]
    [InlineData("--nodes a:1,[b:2", "--nodes is 'a:1,[b:2'")]
    [InlineData("--nodes a:0", "--nodes is 'a:0'")]
    [InlineData("--nodes ::1:7777", "--nodes is '::1:7777'")]
    [InlineData("--nodes a:1 --port 7000", "use one of them")]
    [InlineData("--nodes a:1 --host localhost", "use one of them")]
    [InlineData("--nodes a:1 --url ws://localhost/ws", "use one of them")]
    [InlineData("--password a --password-stdin", "use one of them")]
    [InlineData("--tui --line", "use one of them")]
    [InlineData("--tui --plain", "use one of them")]
    [InlineData("--bogus", "--bogus")]
    public void What_is_wrong_is_said_and_ends_with_2(string arguments, string message)
    {
        (ClientOptions? options, int exitCode) = Read(arguments.Split(' '));

        Assert.Null(options);
        Assert.Equal(ExitCode.BadArguments, exitCode);
        Assert.Contains(message, _error.ToString(), StringComparison.Ordinal);
        Assert.Contains("--help", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void The_help_names_options_commands_and_exit_codes()
    {
        (ClientOptions? options, int exitCode) = Read("--help");

        Assert.Null(options);
        Assert.Equal(ExitCode.Success, exitCode);
        Assert.All(
            [
                "--host", "--port", "--url", "--nodes", "--name", "--password-stdin", "--tls-ca", "--tls-trust-any", "--plain", "--tui",
                "--line", "--no-reconnect", "/members", "Exit codes",
            ],
            part => Assert.Contains(part, _output.ToString(), StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("--tui", true)]
    [InlineData("--plain", false)]
    [InlineData("--line", false)]
    [InlineData("--no-tui", false)]
    [InlineData("--tls", null)]
    public void The_full_screen_is_chosen_by_an_option_or_by_the_window(string argument, bool? fullScreen)
    {
        Assert.Equal(fullScreen, Read(argument).Options!.FullScreen);
    }

    [Fact]
    public void The_version_is_printed()
    {
        Assert.Equal(ExitCode.Success, Read("--version").ExitCode);
        Assert.StartsWith("0.", _output.ToString(), StringComparison.Ordinal);
    }

    private (ClientOptions? Options, int ExitCode) Read(params string[] args) => new CommandLine().Read(args, _output, _error);
}
