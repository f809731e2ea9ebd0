using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading.Channels;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Packaging.Tests;

/// <summary>The program of README.md in a project that has nothing of PlayChat but its packages.</summary>
[Collection<PackageCollection>]
public sealed class ReadmeProgramTests(PackageFeed feed)
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(5);

    [Fact]
    public async Task It_builds_from_the_package_as_printed_and_members_of_the_lobby_hear_each_other()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        using var folder = new TemporaryDirectory();
        int port = FindFreePort();
        await BuildAsync(folder, port);
        await using var server = ProgramProcess.Start(folder.Combine("out/Game.dll"), folder.Path);
        await using var ada = new PacketClient();
        await using var bob = new PacketClient();
        await ada.ConnectAsync(port, server);
        await bob.ConnectAsync(port, server);

        ada.Send(1, """{"Name":"ada"}""");
        Assert.Equal("""4 {"Refusal":null}""", await ada.NextAsync());
        bob.Send(1, """{"Name":""}""");
        Assert.Equal("""4 {"Refusal":"A name has 1 to 20 characters."}""", await bob.NextAsync());
        bob.Send(1, """{"Name":"bob"}""");
        Assert.Equal("""4 {"Refusal":null}""", await bob.NextAsync());
        bob.Send(2, """{"Text":"hello"}""");

        Assert.Equal("""3 {"Name":"bob","Text":"hello"}""", await bob.NextAsync());
        Assert.Equal("""3 {"Name":"bob","Text":"hello"}""", await ada.NextAsync());
        server.Terminate();
        Assert.True(await server.WaitForExitAsync() == 0, server.Describe());
    }

    private static int FindFreePort()
    {
        using var free = new TcpListener(IPAddress.Loopback, 0);
        free.Start();
        return ((IPEndPoint)free.LocalEndpoint).Port;
    }

    /// <summary>Builds the program as printed but for its port, with a package folder of its own.</summary>
    /// <remarks>The packages of others come from the machine's package folder, where the build of PlayChat.Core has put them.</remarks>
    private async Task BuildAsync(TemporaryDirectory folder, int port)
    {
        const string Address = "127.0.0.1:7000";
        string program = Assert.Single(Snippet.Read("README.md")).Code;
        Assert.Contains(Address, program, StringComparison.Ordinal);
        string packages = Environment.GetEnvironmentVariable("NUGET_PACKAGES") is { Length: > 0 } path ? path
            : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

        await File.WriteAllTextAsync(
            folder.Combine("Program.cs"),
            program.Replace(Address, string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{port}"), StringComparison.Ordinal));
        await File.WriteAllTextAsync(
            folder.Combine("Game.csproj"),
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net8.0</TargetFramework>
                <Nullable>enable</Nullable>
                <ImplicitUsings>enable</ImplicitUsings>
                <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
                <RollForward>Major</RollForward> <!-- the machine may have only a newer runtime -->
              </PropertyGroup>
              <ItemGroup>
                <PackageReference Include="PlayChat.Core" Version="{feed.Packages["PlayChat.Core"].Value("version")}" />
              </ItemGroup>
            </Project>
            """);
        await File.WriteAllTextAsync(
            folder.Combine("nuget.config"),
            $"""
            <configuration>
              <packageSources>
                <clear />
                <add key="PlayChat" value="{feed.Folder}" />
                <add key="machine" value="{packages}" />
              </packageSources>
              <packageSourceMapping>
                <clear />
                <packageSource key="PlayChat"><package pattern="PlayChat.*" /></packageSource>
                <packageSource key="machine"><package pattern="*" /></packageSource>
              </packageSourceMapping>
            </configuration>
            """);
        // Servers of the build would outlive it.
        await Command.RunAsync(
            s_patience, folder.Path, "dotnet",
            "build", "--output", "out", "--nodeReuse:false", "-p:UseSharedCompilation=false",
            $"-p:RestorePackagesPath={folder.Combine("packages")}");
    }

    /// <summary>A client that knows the wire form alone: packets with JSON bodies.</summary>
    private sealed class PacketClient : IAsyncDisposable
    {
        private readonly Channel<string> _received = Channel.CreateUnbounded<string>();
        private readonly PlayChatConnector _connector;
        private Connection _connection = null!;

        public PacketClient() => _connector = new PlayChatConnector(
            FrameFormat.Packet(),
            (_, frame) => _received.Writer.TryWrite(
                string.Create(CultureInfo.InvariantCulture, $"{frame.Header.PacketId} {Encoding.UTF8.GetString(frame.ToArray())}")));

        /// <summary>Connects as soon as the program listens.</summary>
        public async Task ConnectAsync(int port, ProgramProcess server) =>
            _connection = (await Eventually.GetAsync(() => TryConnectAsync(port, server), static connection => connection is not null))!;

        public void Send(ushort packetId, string json) =>
            Assert.True(_connection.Send(Encoding.UTF8.GetBytes(json), new FrameHeader(PacketId: packetId)));

        public Task<string> NextAsync() => _received.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        public ValueTask DisposeAsync() => _connector.DisposeAsync();

        private async Task<Connection?> TryConnectAsync(int port, ProgramProcess server)
        {
            Assert.False(server.Exited.IsCompleted, server.Describe());
            try
            {
                return await _connector.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port)).WaitAsync(TestTimeouts.Hang);
            }
            catch (ConnectFailedException)
            {
                return null; // the program is still starting
            }
        }
    }
}
