namespace PlayChat.Core.Transport;

/// <summary>One end of two pipes.</summary>
/// <param name="input">What this end reads.</param>
/// <param name="output">What this end writes.</param>
internal sealed class DuplexPipe(PipeReader input, PipeWriter output) : IDuplexPipe
{
    public PipeReader Input { get; } = input;

    public PipeWriter Output { get; } = output;
}
