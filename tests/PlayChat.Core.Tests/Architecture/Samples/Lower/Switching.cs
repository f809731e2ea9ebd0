using PlayChat.Core.Tests.Architecture.Samples.Upper;

namespace PlayChat.Core.Tests.Architecture.Samples.Lower;

// A jump table is the one instruction whose length depends on its operand.
internal static class Switching
{
    public static object Choose(int index) => index switch
    {
        0 => "none",
        1 => 1.5,
        2 => 2L,
        3 => (short)3,
        4 => typeof(Top),
        _ => index,
    };
}
