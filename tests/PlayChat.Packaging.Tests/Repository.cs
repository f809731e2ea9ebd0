using System.Runtime.CompilerServices;

namespace PlayChat.Packaging.Tests;

/// <summary>Files of the repository.</summary>
internal static class Repository
{
    internal static string PathOf(string relative) => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(ThisFile())!, "../..", relative));

    internal static string Read(string relative) => File.ReadAllText(PathOf(relative)).ReplaceLineEndings("\n");

    private static string ThisFile([CallerFilePath] string path = "") => path;
}
