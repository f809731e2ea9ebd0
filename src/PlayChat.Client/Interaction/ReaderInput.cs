namespace PlayChat.Client.Interaction;

/// <summary>Lines from a pipe or a file.</summary>
internal sealed class ReaderInput(TextReader reader) : IPlainInput
{
    public string? ReadLine(bool isSecret) => reader.ReadLine();
}
