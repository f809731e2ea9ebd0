using PlayChat.Core.Tests.Architecture.Samples.Upper;

namespace PlayChat.Core.Tests.Architecture.Samples.Lower;

internal static class Catching
{
    public static int Try(Func<int> call)
    {
        try
        {
            return call();
        }
        catch (TopException)
        {
            return 0;
        }
    }
}
