using System.Security.Cryptography;

namespace PlayChat.Files;

/// <summary>Tells whether files have changed.</summary>
internal static class FileStamp
{
    /// <summary>A text that differs when the content of a file differs.</summary>
    /// <remarks>
    /// By content: Kubernetes and certificate managers exchange a link in front of the file, on which the times and lengths of the file
    /// that the path names say nothing, and a renewal can keep both. A file that is not readable has a stamp of its own.
    /// </remarks>
    public static string Of(IEnumerable<string> files) => string.Join(';', files.Select(Of));

    private static string Of(string file)
    {
        try
        {
            return Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file)));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
