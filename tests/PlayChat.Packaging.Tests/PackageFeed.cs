using System.Reflection;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Packaging.Tests;

/// <summary>The packages that tools/PlayChat.Pack makes: read from the folder that PLAYCHAT_TEST_PACKAGES names, or packed here from the
/// build that these tests belong to.</summary>
public class PackageFeed : IAsyncLifetime
{
    // Long, because a pack from scratch builds the packages.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(10);

    private readonly TemporaryDirectory _folder = new();

    /// <summary>By their ids.</summary>
    public IReadOnlyDictionary<string, Package> Packages { get; private set; } = new Dictionary<string, Package>(StringComparer.Ordinal);

    /// <summary>The folder that holds them.</summary>
    public string Folder { get; private set; } = "";

    /// <summary>The options of the pack.</summary>
    protected virtual string[] Options =>
        ["--no-build", "--configuration", typeof(PackageFeed).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()!.Configuration];

    public async ValueTask InitializeAsync()
    {
        Folder = Environment.GetEnvironmentVariable("PLAYCHAT_TEST_PACKAGES") is { Length: > 0 } packed ? packed : await PackAsync();
        Packages = Directory.GetFiles(Folder, "*.nupkg").Select(Package.Read)
            .ToDictionary(static package => package.Id, StringComparer.Ordinal);
    }

    public ValueTask DisposeAsync()
    {
        _folder.Dispose();
        GC.SuppressFinalize(this);
        return ValueTask.CompletedTask;
    }

    private async Task<string> PackAsync()
    {
        await Command.RunAsync(
            s_patience, Repository.PathOf("."), ProgramFile.Find("PlayChat.Pack"), ["--output", _folder.Path, .. Options]);
        return _folder.Path;
    }
}
