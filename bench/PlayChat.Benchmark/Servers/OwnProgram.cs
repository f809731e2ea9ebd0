using System.Reflection;

namespace PlayChat.Benchmark.Servers;

/// <summary>This program, to start it again in a process of its own.</summary>
internal static class OwnProgram
{
    private static Assembly s_assembly = typeof(OwnProgram).Assembly;

    public static string Path => s_assembly.Location;

    /// <summary>
    /// The program and its first arguments: the program itself, or the host with its assembly, where "dotnet PlayChat.Benchmark.dll" or a
    /// test runs this.
    /// </summary>
    public static IReadOnlyList<string> Command
    {
        get
        {
            string name = System.IO.Path.GetFileNameWithoutExtension(Path);
            return Environment.ProcessPath is { } path && System.IO.Path.GetFileName(path) is var file
                && (file == name || file == name + ".exe")
                ? [path]
                : [ServerProgram.DotnetPath, Path];
        }
    }

    /// <summary>Names another program that contains this one. It calls this before everything else.</summary>
    public static void Use(Assembly assembly) => s_assembly = assembly;
}
