using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

namespace PlayChat.Packaging.Tests;

/// <summary>The compiler checks the blocks of code in the documents (<see cref="SnippetTests"/>); this checks the code in their
/// sentences.</summary>
public sealed partial class MemberTests
{
    private const BindingFlags All =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.FlattenHierarchy;

    private static readonly Type[] s_types =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
            .Split(Path.PathSeparator)
            .Where(static path => Path.GetFileName(path).StartsWith("PlayChat.", StringComparison.Ordinal))
            .SelectMany(static path => Assembly.LoadFrom(path).GetExportedTypes()),
    ];

    private static readonly ILookup<string, Type> s_byName =
        s_types.ToLookup(static type => type.Name.Split('`')[0], StringComparer.Ordinal);

    private static readonly HashSet<string> s_extensions = s_types
        .SelectMany(static type => type.GetMethods(BindingFlags.Public | BindingFlags.Static))
        .Where(static method => method.IsDefined(typeof(ExtensionAttribute), inherit: false))
        .Select(static method => method.Name)
        .ToHashSet(StringComparer.Ordinal);

    [Fact]
    public void A_sentence_names_no_member_that_its_type_lacks()
    {
        Assert.Equal(
            ["FrameFormat.Delimiter"], FindMissing("Call `FrameFormat.Line()`, not `FrameFormat.Delimiter(…)`."), StringComparer.Ordinal);
        string[] missing =
        [
            .. Documents.All.SelectMany(static document =>
                FindMissing(Repository.Read(document)).Select(member => $"{document}: {member}")),
        ];

        // An enum of the reader's own server.
        Assert.Equal(["docs/how-to/migrating-from-iocp.md: PacketId.CMove"], missing, StringComparer.Ordinal);
    }

    private static IEnumerable<string> FindMissing(string text) =>
        from Match code in InlineCode().Matches(Blocks().Replace(text, string.Empty))
        from Match use in MemberOfType().Matches(code.Value)
        let types = s_byName[use.Groups["type"].Value]
        let member = use.Groups["member"].Value
        where types.Any() && !s_extensions.Contains(member) && !types.Any(type => HasMember(type, member))
        select $"{use.Groups["type"].Value}.{member}";

    private static bool HasMember(Type type, string member) =>
        type.GetInterfaces().Prepend(type).Any(one => one.GetMember(member, All).Length > 0);

    [GeneratedRegex("```.*?```|<!--.*?-->", RegexOptions.Singleline, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Blocks();

    [GeneratedRegex("`[^`\n]+`", RegexOptions.None, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex InlineCode();

    [GeneratedRegex(
        @"(?<![\w.])(?<type>[A-Z]\w+)(<[^>]*>)?\.(?<member>[A-Z]\w+)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex MemberOfType();
}
