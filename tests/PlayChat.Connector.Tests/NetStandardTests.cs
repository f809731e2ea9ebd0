using System.Runtime.Loader;
using PlayChat.TestUtilities.Processes;
using Utf8 = System.Text.Unicode.Utf8;

namespace PlayChat.Connector.Tests;

/// <summary>What the builds for .NET Standard 2.1 have in place of the runtime's own.</summary>
public sealed class NetStandardTests
{
    private delegate bool IsValid(Span<byte> text);

    [Fact]
    public void Text_in_UTF_8_is_judged_as_by_the_runtime()
    {
        var isolated = new AssemblyLoadContext(nameof(NetStandardTests), isCollectible: true);
        string folder = Path.GetDirectoryName(ProgramFile.Find("PlayChat.ClientContract"))!;
        IsValid isValid = isolated.LoadFromAssemblyPath(Path.Combine(folder, "PlayChat.State.Abstractions.dll"))
            .GetType(typeof(Utf8).FullName!, throwOnError: true)!
            .GetMethod("IsValid", System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Static)!
            .CreateDelegate<IsValid>();
        byte[] tails = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF];
        byte[] text = new byte[4];
        for (int first = 0; first <= byte.MaxValue; first++)
        {
            for (int rest = 0; rest < 1000; rest++)
            {
                (text[0], text[1], text[2], text[3]) = ((byte)first, tails[rest / 100], tails[rest / 10 % 10], tails[rest % 10]);
                for (int length = 0; length <= text.Length; length++)
                {
                    Assert.Equal(Utf8.IsValid(text.AsSpan(0, length)), isValid(text.AsSpan(0, length)));
                }
            }
        }
    }
}
