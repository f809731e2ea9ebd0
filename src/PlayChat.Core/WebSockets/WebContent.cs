using System.Security.Cryptography;

namespace PlayChat.Core.WebSockets;

/// <summary>A fixed set of files that a WebSocket endpoint serves to browsers, such as the page that connects to it.</summary>
/// <remarks>
/// No web server: each request is answered from memory, by GET or HEAD, and the link is closed. Browsers keep a file by its ETag. Put it
/// together before the server starts.
/// </remarks>
public sealed class WebContent
{
    private readonly Dictionary<string, File> _files = new(StringComparer.Ordinal);

    /// <summary>Adds a file.</summary>
    /// <param name="path">The path of its address, such as <c>/</c> or <c>/app.js</c>; compared exactly.</param>
    /// <param name="contentType">The Content-Type header, such as <c>text/html; charset=utf-8</c>.</param>
    /// <param name="body">Its content. Do not change it afterwards.</param>
    /// <param name="headers">Further headers, such as Cache-Control or Content-Security-Policy. Default none.</param>
    /// <exception cref="ArgumentException">
    /// The path does not begin with / or was added before, or a header holds characters that are not printable ASCII.
    /// </exception>
    public WebContent Add(string path, string contentType, ReadOnlyMemory<byte> body, IReadOnlyDictionary<string, string>? headers = null)
    {
        ArgumentNullException.ThrowIfNull(path);
        RequirePrintable(contentType, nameof(contentType));
        string etag = '"' + Convert.ToHexString(SHA256.HashData(body.Span).AsSpan(0, 16)) + '"';
        var fields = new StringBuilder($"ETag: {etag}\r\n");
        foreach ((string name, string value) in headers ?? new Dictionary<string, string>(StringComparer.Ordinal))
        {
            RequirePrintable(name, nameof(headers));
            RequirePrintable(value, nameof(headers));
            fields.Append(name).Append(": ").Append(value).Append("\r\n");
        }

        if (!path.StartsWith('/') || !_files.TryAdd(path, new File(contentType, body, etag, fields.ToString())))
        {
            throw new ArgumentException($"The path '{path}' does not begin with / or was added before.", nameof(path));
        }

        return this;
    }

    /// <summary>Answers a request for a file.</summary>
    /// <returns><see langword="null"/> when there is no such file.</returns>
    internal HttpAnswer? Find(in HttpRequestHead request)
    {
        if (!_files.TryGetValue(request.Path.ToString(), out File? file))
        {
            return null;
        }

        if (request.Method is not ("GET" or "HEAD"))
        {
            return HttpAnswer.Refuse("405 Method Not Allowed", "This file can only be read.", "Allow: GET, HEAD\r\n");
        }

        const string Field = "If-None-Match";
        bool isKnown = request.Has(Field, "*") || request.Has(Field, file.ETag) || request.Has(Field, "W/" + file.ETag);
        return new HttpAnswer(isKnown ? "304 Not Modified" : "200 OK", file.ContentType, file.Body, file.Fields, Problem: null)
        {
            IsHeadOnly = isKnown || request.Method is "HEAD",
        };
    }

    private static void RequirePrintable(string text, string parameter)
    {
        ArgumentException.ThrowIfNullOrEmpty(text, parameter);
        if (text.AsSpan().IndexOfAnyExceptInRange(' ', '~') >= 0)
        {
            throw new ArgumentException($"'{text}' has characters that a header must not hold.", parameter);
        }
    }

    private sealed record File(string ContentType, ReadOnlyMemory<byte> Body, string ETag, string Fields);
}
