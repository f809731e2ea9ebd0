using System.Diagnostics;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Packaging.Tests;

/// <summary>The packages that tools/PlayChat.Pack makes: read from the folder that PLAYCHAT_TEST_PACKAGES names, or packed here,
/// once.</summary>
public sealed class PackageFeed : IAsyncLifetime
{
    // Long, because the packages are built from scratch.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(10);

    private readonly TemporaryDirectory _folder = new();

    /// <summary>By their ids.</summary>
    public IReadOnlyDictionary<string, Package> Packages { get; private set; } = new Dictionary<string, Package>(StringComparer.Ordinal);

    /// <summary>The folder that holds them.</summary>
    public string Folder { get; private set; } = "";

    public async ValueTask InitializeAsync()
    {
        Folder = Environment.GetEnvironmentVariable("PLAYCHAT_TEST_PACKAGES") ?? await PackAsync();
        Packages = Directory.GetFiles(Folder, "*.nupkg").Select(Package.Read)
            .ToDictionary(static package => package.Id, StringComparer.Ordinal);
    }

    public ValueTask DisposeAsync()
    {
        _folder.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task<string> PackAsync()
    {
        var start =
            new ProcessStartInfo("dotnet", ["run", "--project", Repository.PathOf("tools/PlayChat.Pack"), "--", "--output", _folder.Path])
            {
                UseShellExecute = false,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
        using Process pack = ChildProcess.Start(start);
        Task<string> output = pack.StandardOutput.ReadToEndAsync();
        Task<string> errors = pack.StandardError.ReadToEndAsync();
        await pack.WaitForExitAsync().WaitAsync(s_patience);
        Assert.True(pack.ExitCode == 0, await output + await errors);
        return _folder.Path;
    }
}
