using PlayChat.TestUtilities.Processes;

namespace PlayChat.Connector.Tests;

/// <summary>The two servers of the contract, as processes of their own.</summary>
public sealed class GameServers : IAsyncLifetime
{
    private readonly ProgramProcess _own = Start();
    private readonly ProgramProcess _forgetful = Start("replay=0", "heartbeat=1000", "idle=3000");

    internal ContractServers Servers { get; private set; } = null!;

    /// <summary>The arguments of <c>PlayChat.ClientContract</c>.</summary>
    internal string[] Arguments =>
    [
        .. Servers.Addresses.Values.Select(static address => $"own={address}"),
        .. Servers.Forgetful.Values.Select(static address => $"forgetful={address}"),
    ];

    public async ValueTask InitializeAsync() => Servers = new ContractServers(await AddressesAsync(_own), await AddressesAsync(_forgetful));

    public async ValueTask DisposeAsync()
    {
        await _own.DisposeAsync();
        await _forgetful.DisposeAsync();
    }

    private static ProgramProcess Start(params string[] arguments) =>
        ProgramProcess.Start(ProgramFile.Find("PlayChat.GameServer"), Path.GetTempPath(), ["all=1", .. arguments]);

    private static async Task<Dictionary<string, string>> AddressesAsync(ProgramProcess server)
    {
        string last = await server.WaitForLineAsync(static line => line.StartsWith("http:", StringComparison.Ordinal));
        IEnumerable<string> others = server.OutputLines.Where(
            static line => line.Contains("://", StringComparison.Ordinal) && !line.StartsWith("http:", StringComparison.Ordinal));
        return others.Append($"{last.Replace("http:", "ws:", StringComparison.Ordinal)}ws")
            .ToDictionary(static address => new Uri(address).Scheme, StringComparer.Ordinal);
    }
}
