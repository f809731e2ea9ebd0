namespace PlayChat.Core.WebSockets;

/// <summary>An answer to an HTTP request that is no upgrade. The link is closed behind it.</summary>
/// <param name="Status">The status code and its name.</param>
/// <param name="ContentType">Of the body.</param>
/// <param name="Body">What is shown.</param>
/// <param name="Fields">Further header fields, each with its line end.</param>
/// <param name="Problem">The sentence for the log; <see langword="null"/> for an answer that is no refusal.</param>
internal sealed record HttpAnswer(string Status, string ContentType, ReadOnlyMemory<byte> Body, string Fields, string? Problem)
{
    /// <summary>Whether the body is left out, because the request asked for the head alone or the client has the body.</summary>
    internal bool IsHeadOnly { get; init; }

    /// <summary>Refuses a request. The problem says in one or two sentences what is wrong, and what to do.</summary>
    internal static HttpAnswer Refuse(string status, string problem, string fields = "") =>
        new(status, "text/plain; charset=utf-8", Encoding.UTF8.GetBytes(problem + "\n"), fields, problem);

    /// <summary>Writes status line and header fields.</summary>
    internal byte[] EncodeHead()
    {
        string length = Body.Length.ToString(CultureInfo.InvariantCulture);
        return Encoding.ASCII.GetBytes(
            $"HTTP/1.1 {Status}\r\nContent-Type: {ContentType}\r\nContent-Length: {length}\r\n{Fields}"
                + "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n");
    }
}
