using System.Reflection;
using System.Runtime.InteropServices;

namespace PlayChat.TestUtilities.Processes;

/// <summary>Where the programs are that tests start. The test project names them by attributes, which its build makes from its project
/// references.</summary>
public static class ProgramFile
{
    /// <summary>The environment variable that names another server to test, such as a published one.</summary>
    public const string ServerVariable = "PLAYCHAT_TEST_SERVER";

    /// <summary>The environment variable that gives every server under test another transport: the server's own setting of that
    /// name.</summary>
    public const string TransportVariable = "PLAYCHAT_Transport";

    /// <summary>The chat server: what <see cref="ServerVariable"/> says, else the build's own.</summary>
    public static string Server =>
        Environment.GetEnvironmentVariable(ServerVariable) is { Length: > 0 } path ? path : Find("PlayChat.Server");

    /// <summary>The host that runs the programs' assemblies: the one that runs this test.</summary>
    internal static string DotNet
    {
        get
        {
            // …/dotnet/shared/Microsoft.NETCore.App/10.0.0/
            string runtime = RuntimeEnvironment.GetRuntimeDirectory();
            return Path.GetFullPath(Path.Combine(runtime, "..", "..", "..", OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet"));
        }
    }

    /// <summary>Finds a program of the solution.</summary>
    /// <param name="name">Its assembly's name.</param>
    /// <exception cref="InvalidOperationException">No loaded assembly names it.</exception>
    public static string Find(string name) =>
        AppDomain.CurrentDomain.GetAssemblies()
            .SelectMany(static assembly => assembly.GetCustomAttributes<AssemblyMetadataAttribute>())
            .FirstOrDefault(attribute => attribute.Key == name)?.Value
        ?? throw new InvalidOperationException($"The test project has no reference to the program {name}.");
}
