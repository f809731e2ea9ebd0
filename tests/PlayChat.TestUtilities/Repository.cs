using System.Runtime.CompilerServices;

namespace PlayChat.TestUtilities;

/// <summary>The files of the repository, where the tests were built.</summary>
public static class Repository
{
    /// <summary>The full path of a file or folder.</summary>
    /// <param name="relative">Its path from the root of the repository.</param>
    public static string PathOf(string relative) => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(ThisFile())!, "../..", relative));

    /// <summary>The text of a file, with the line ends of Linux.</summary>
    public static string Read(string relative) => File.ReadAllText(PathOf(relative)).ReplaceLineEndings("\n");

    private static string ThisFile([CallerFilePath] string path = "") => path;
}
