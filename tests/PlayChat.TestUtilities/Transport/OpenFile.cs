namespace PlayChat.TestUtilities.Transport;

/// <summary>Identifies the files that this process has open. Linux.</summary>
/// <remarks>The number of a descriptor says nothing after it was closed: the next file that any thread opens takes it.</remarks>
public static class OpenFile
{
    /// <summary>Names the file behind a descriptor, such as <c>socket:[4711]</c>; <see langword="null"/> when the number is free.</summary>
    public static string? Behind(int descriptor) => new FileInfo($"/proc/self/fd/{descriptor}").LinkTarget;
}
