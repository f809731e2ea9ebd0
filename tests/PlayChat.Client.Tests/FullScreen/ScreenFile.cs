using System.Runtime.CompilerServices;

namespace PlayChat.Client.Tests.FullScreen;

/// <summary>A picture that the full-screen client must draw, as a text file beside the tests.</summary>
internal static class ScreenFile
{
    private const string UpdateVariable = "PLAYCHAT_UPDATE_SCREENS";

    /// <summary>The rows of a file.</summary>
    public static string[] Read(string name, [CallerFilePath] string test = "") => File.ReadAllLines(PathOf(name, test));

    /// <summary>Fails where a picture differs from the file. With PLAYCHAT_UPDATE_SCREENS=1 in the environment it writes the file
    /// first.</summary>
    public static void RequireSame(string name, IReadOnlyList<string> rows, [CallerFilePath] string test = "")
    {
        string file = PathOf(name, test);
        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
        {
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            File.WriteAllLines(file, rows.Select(static row => row.TrimEnd()));
        }

        Assert.Equal(Read(name, test), rows.Select(static row => row.TrimEnd()), StringComparer.Ordinal);
    }
    private static string PathOf(string name, string test) => Path.Combine(Path.GetDirectoryName(test)!, "Screens", name + ".txt");
}
