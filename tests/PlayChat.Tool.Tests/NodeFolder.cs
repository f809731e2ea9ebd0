using System.Diagnostics;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Tool.Tests;

/// <summary>A folder in which generated TypeScript is compiled and run, with the packages of clients/.</summary>
internal sealed class NodeFolder : IDisposable
{
    private static readonly string s_modules = Repository.PathOf("clients/node_modules");
    private readonly TemporaryDirectory _folder = new();

    public NodeFolder()
    {
        Assert.SkipUnless(
            OperatingSystem.IsLinux() && File.Exists(Path.Combine(s_modules, ".package-lock.json")), // npm writes it last
            "Needs Node 20 and the packages of clients/: tools/web install.");
        File.WriteAllText(PathOf("package.json"), """{ "type": "module" }""");
        File.WriteAllText(PathOf("tsconfig.json"), """
            {
              "compilerOptions": {
                "target": "ES2022", "module": "NodeNext", "moduleResolution": "NodeNext", "lib": ["ES2022", "DOM"], "types": ["node"],
                "strict": true, "exactOptionalPropertyTypes": true, "noUncheckedIndexedAccess": true, "noUnusedLocals": true,
                "verbatimModuleSyntax": true, "isolatedModules": true
              }
            }
            """);
        Directory.CreateSymbolicLink(PathOf("node_modules"), s_modules);
    }

    public static string Source(string file) => Repository.PathOf("tests/PlayChat.Tool.Tests/" + file);

    public string PathOf(string file) => Path.Combine(_folder.Path, file);

    public void Copy(string file) => File.Copy(Source(Path.Combine("Node", file)), PathOf(file));

    /// <summary>Compiles all files with every check of the compiler.</summary>
    public Task<string> CompileAsync() => RunAsync("", Path.Combine(s_modules, "typescript/bin/tsc"), "-p", "tsconfig.json");

    /// <summary>Runs a script.</summary>
    /// <returns>What it printed.</returns>
    public async Task<string> RunAsync(string input, params string[] arguments)
    {
        using Process process = ChildProcess.Start(new ProcessStartInfo("node", arguments)
        {
            WorkingDirectory = _folder.Path,
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        });
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        await process.StandardInput.WriteAsync(input);
        process.StandardInput.Close();
        await process.WaitForExitAsync().WaitAsync(TestTimeouts.Hang);
        Assert.True(process.ExitCode == 0, await output + await errors);
        return await output;
    }

    public void Dispose()
    {
        Directory.Delete(PathOf("node_modules")); // the link alone
        _folder.Dispose();
    }
}
