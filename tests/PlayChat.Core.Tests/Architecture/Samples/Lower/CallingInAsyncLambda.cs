using PlayChat.Core.Tests.Architecture.Samples.Upper;

namespace PlayChat.Core.Tests.Architecture.Samples.Lower;

internal static class CallingInAsyncLambda
{
    public static Func<int, Task<int>> Create(int more) => async less =>
    {
        await Task.Yield();
        return Top.Height + more - less;
    };
}
