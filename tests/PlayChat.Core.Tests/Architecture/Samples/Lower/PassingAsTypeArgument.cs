using PlayChat.Core.Tests.Architecture.Samples.Upper;

namespace PlayChat.Core.Tests.Architecture.Samples.Lower;

internal static class PassingAsTypeArgument
{
    public static Array Create() => Array.Empty<List<Top[]>>();
}
