using System.Reflection;
using System.Runtime.CompilerServices;
using Xunit;

namespace PlayChat.TestUtilities.Architecture;

/// <summary>Compares an assembly's public surface with a list that is checked in.</summary>
public static class PublicApiList
{
    private const string UpdateVariable = "PLAYCHAT_UPDATE_PUBLIC_API";

    /// <summary>Fails with the difference. With PLAYCHAT_UPDATE_PUBLIC_API=1 in the environment it writes the list first.</summary>
    /// <param name="assembly">The assembly of a package.</param>
    /// <param name="list">The name of the list, beside the test.</param>
    /// <param name="test">The file of the test.</param>
    public static void Verify(Assembly assembly, string list = "PublicApi.txt", [CallerFilePath] string test = "")
    {
        string path = Path.Combine(Path.GetDirectoryName(test)!, list);
        string[] actual = [.. PublicApi.Describe(assembly)];
        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
        {
            File.WriteAllText(path, string.Join('\n', actual) + "\n");
        }

        string[] listed = File.ReadAllLines(path);

        string[] difference =
        [
            .. listed.Except(actual, StringComparer.Ordinal).Select(static line => "- " + line),
            .. actual.Except(listed, StringComparer.Ordinal).Select(static line => "+ " + line),
        ];
        Assert.True(
            difference.Length == 0,
            $"The public surface of {assembly.GetName().Name} differs from {path}:\n{string.Join('\n', difference)}\n"
                + $"If you intend that, run this test once with {UpdateVariable}=1 and commit the file.");
    }
}
