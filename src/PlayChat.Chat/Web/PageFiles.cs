using System.Reflection;

namespace PlayChat.Chat.Web;

/// <summary>The files of a web page that are part of the program, and the headers that such pages are sent with.</summary>
internal static class PageFiles
{
    /// <summary>Only the page's own files and its own server. Text that a page shows never becomes script, whatever it holds.</summary>
    public static IReadOnlyDictionary<string, string> Headers { get; } = new Dictionary<string, string>(StringComparer.Ordinal)
    {
        ["Cache-Control"] = "no-cache",
        ["Content-Security-Policy"] = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
        ["Referrer-Policy"] = "no-referrer",
        ["Cross-Origin-Opener-Policy"] = "same-origin",
    };

    /// <summary>Reads the files of a page: path below its folder with a slash in front, media type, content.</summary>
    /// <param name="folder">The folder in the names of the program's resources, with a slash at the end.</param>
    public static IEnumerable<(string Path, string Type, byte[] Body)> Read(string folder)
    {
        Assembly program = typeof(PageFiles).Assembly;
        foreach (string name in program.GetManifestResourceNames().Where(name => name.StartsWith(folder, StringComparison.Ordinal)))
        {
            string path = name[(folder.Length - 1)..].Replace('\\', '/');
            using Stream stream = program.GetManifestResourceStream(name)!;
            byte[] body = new byte[stream.Length];
            stream.ReadExactly(body);
            yield return (path, TypeOf(path), body);
        }
    }

    private static string TypeOf(string path) => Path.GetExtension(path) switch
    {
        ".html" => "text/html; charset=utf-8",
        ".js" => "text/javascript; charset=utf-8",
        ".css" => "text/css; charset=utf-8",
        ".svg" => "image/svg+xml",
        _ => "application/octet-stream",
    };
}
