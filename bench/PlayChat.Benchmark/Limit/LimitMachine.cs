using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PlayChat.Benchmark.Limit;

/// <summary>What runs need of the machine: two processors, and a folder with the C programs, which is removed at the end.</summary>
internal sealed class LimitMachine(string loadCore, string serverCore) : IDisposable
{
    public static readonly string Compiler = $"{Setting("CC", "cc")} {Setting("CFLAGS", "-O2 -march=native -std=gnu11")}";

    public string Folder { get; } = Directory.CreateTempSubdirectory("playchat-limit-").FullName;

    public string LoadCore => loadCore;

    public string ServerCore => serverCore;

    public string Certificate => Path.Combine(Folder, "c.pem");

    public string Key => Path.Combine(Folder, "k.pem");

    /// <summary>Checks the machine for these scenarios.</summary>
    public static LimitMachine Check(IReadOnlyList<LimitScenario> scenarios)
    {
        UsageException.Unless(RunningProcess.CanPin, "limit needs Linux with the program taskset (Debian: apt-get install util-linux).");
        SystemLimits.Check(scenarios.Max(static scenario => scenario.Connections), 1);
        using var own = Process.GetCurrentProcess();
        nint allowed = OperatingSystem.IsLinux() ? own.ProcessorAffinity : 0;
        int[] cores = [.. Enumerable.Range(0, 8 * nint.Size).Where(core => (allowed >> core & 1) == 1)];
        return cores is [var load, var server, ..]
            ? new LimitMachine($"{load}", $"{server}")
            : throw new UsageException("limit needs 2 processors, one for the server and one for the load; this machine gives it 1.");
    }

    /// <summary>Builds the C programs of scenarios, and makes a certificate for TLS.</summary>
    public async Task BuildAsync(IReadOnlyList<LimitScenario> scenarios, CancellationToken interrupted)
    {
        IEnumerable<string> programs = scenarios.SelectMany(static scenario => (string[])[scenario.Peer, scenario.Generator]);
        foreach (string program in programs.ToHashSet(StringComparer.Ordinal))
        {
            bool tls = program.StartsWith("tls", StringComparison.Ordinal);
            string[] libraries = tls ? ["-lssl", "-lcrypto"] : [];
            string source = Path.Combine(Sources(), program + ".c");
            await using var compiler = new RunningProcess(
                [.. Compiler.Split(' ', StringSplitOptions.RemoveEmptyEntries), "-o", program, source, .. libraries], Folder);
            if (await compiler.EndAsync().WaitAsync(interrupted) != 0)
            {
                string packages = tls ? "gcc libc6-dev libssl-dev" : "gcc libc6-dev";
                throw new UsageException($"{source} does not build (Debian: apt-get install {packages}): {compiler.LastWords}");
            }
        }

        using var rsa = RSA.Create(2048);
        using X509Certificate2 certificate =
            new CertificateRequest("CN=localhost", rsa, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)
                .CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(2));
        await File.WriteAllTextAsync(Certificate, certificate.ExportCertificatePem(), interrupted);
        await File.WriteAllTextAsync(Key, rsa.ExportPkcs8PrivateKeyPem(), interrupted);
    }

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(Folder, recursive: true);

    private static string Setting(string name, string standard) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } value ? value : standard;

    private static string Sources() =>
        OwnProgram.Folders().Select(static folder => Path.Combine(folder, "bench", "native")).FirstOrDefault(Directory.Exists)
        ?? throw new UsageException("limit runs in PlayChat's repository only, because it builds the C programs there.");
}
