using System.Diagnostics;

namespace PlayChat.Packaging.Tests;

/// <summary>The packages as <c>tools/pack</c> makes them: those of the folder that PLAYCHAT_TEST_PACKAGES names, or made here, once.</summary>
public sealed class PackageFeed : IAsyncLifetime
{
    // Not a guard against hanging alone: the packages are built from nothing.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(10);

    private readonly TemporaryDirectory _folder = new();

    /// <summary>By their ids.</summary>
    public IReadOnlyDictionary<string, Package> Packages { get; private set; } = new Dictionary<string, Package>(StringComparer.Ordinal);

    public async ValueTask InitializeAsync()
    {
        string folder = Environment.GetEnvironmentVariable("PLAYCHAT_TEST_PACKAGES") ?? await PackAsync();
        Packages = Directory.GetFiles(folder, "*.nupkg").Select(Package.Read).ToDictionary(static package => package.Id, StringComparer.Ordinal);
    }

    public ValueTask DisposeAsync()
    {
        _folder.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task<string> PackAsync()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "tools/pack is a script for bash; pack elsewhere, and name the folder by PLAYCHAT_TEST_PACKAGES.");
        var start = new ProcessStartInfo(Repository.PathOf("tools/pack"), ["--output", _folder.Path])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process pack = Process.Start(start)!;
        Task<string> output = pack.StandardOutput.ReadToEndAsync();
        Task<string> errors = pack.StandardError.ReadToEndAsync();
        await pack.WaitForExitAsync().WaitAsync(s_patience);
        Assert.True(pack.ExitCode == 0, await output + await errors);
        return _folder.Path;
    }
}
