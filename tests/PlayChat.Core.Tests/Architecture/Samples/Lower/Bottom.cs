namespace PlayChat.Core.Tests.Architecture.Samples.Lower;

internal sealed class Bottom
{
    public static int Height => Environment.ProcessorCount;
}
