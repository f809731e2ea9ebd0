using PlayChat.Core.Tests.Architecture.Samples.Upper;

namespace PlayChat.Core.Tests.Architecture.Samples.Lower;

internal static class Calling
{
    public static int Call() => Top.Height;
}
