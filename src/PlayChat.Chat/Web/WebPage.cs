using PlayChat.Core.WebSockets;

namespace PlayChat.Chat.Web;

/// <summary>The chat page: the files of Web/wwwroot, which are part of the program.</summary>
internal static class WebPage
{
    /// <summary>The files, which any number of endpoints may serve.</summary>
    public static WebContent Content { get; } = Load();

    private static WebContent Load()
    {
        var content = new WebContent();
        foreach ((string path, string type, byte[] body) in PageFiles.Read("wwwroot/"))
        {
            content.Add(path, type, body, PageFiles.Headers);
            if (path == "/index.html")
            {
                content.Add("/", type, body, PageFiles.Headers);
            }
        }

        return content;
    }
}
