using PlayChat.Core.Tests.Architecture.Samples.Lower;

namespace PlayChat.Core.Tests.Architecture.Samples.Upper;

internal sealed class Top
{
    public static int Height => Bottom.Height + 1;
}
