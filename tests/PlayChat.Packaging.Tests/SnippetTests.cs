using System.Reflection;
using System.Text.RegularExpressions;

namespace PlayChat.Packaging.Tests;

/// <summary>All C# in the documents compiles, without a warning, and shows its usings; the tests in it pass. That of the guide is run:
/// <see cref="GettingStartedTests"/>.</summary>
public sealed partial class SnippetTests
{
    // The guide's pieces are parts of files that its own test builds.
    private static readonly Snippet[] s_snippets =
        [.. Documents.All.Where(static document => document != Documents.Guide).SelectMany(Snippet.Read)];

    public static TheoryData<string> Places => FindPlaces(hasTests: false);

    public static TheoryData<string> PlacesOfTests => FindPlaces(hasTests: true);

    [Theory]
    [MemberData(nameof(Places))]
    public void A_snippet_compiles(string place) => SnippetCompiler.Compile(Find(place));

    [Theory]
    [MemberData(nameof(PlacesOfTests))]
    public async Task A_snippet_with_tests_compiles_and_they_pass(string place)
    {
        MethodInfo[] tests =
        [
            .. SnippetCompiler.Load(Find(place)).GetTypes()
                .SelectMany(static type => type.GetMethods())
                .Where(static method => method.IsDefined(typeof(FactAttribute), inherit: false)),
        ];

        Assert.NotEmpty(tests);
        foreach (MethodInfo test in tests)
        {
            object fixture = Activator.CreateInstance(test.DeclaringType!)!;
            var run = (Task)test.Invoke(fixture, BindingFlags.DoNotWrapExceptions, binder: null, parameters: [], culture: null)!;
            await run.WaitAsync(TestTimeouts.Hang);
        }
    }

    [Fact]
    public void Every_recipe_is_run_but_those_that_the_list_names()
    {
        string[] notRunHere =
        [
            .. RecipePage().Matches(Repository.Read("docs/how-to/recipes.md"))
                .Select(static match => match.Value)
                .Distinct(StringComparer.Ordinal)
                .Where(static page => !Snippet.Read($"docs/how-to/{page}").Any(static snippet => snippet.HasTests)),
        ];

        // The browser client's pages run in Chromium (tools/web browser); PlayChat.Tool.Tests run a generated client.
        string[] known = ["browser-client.md", "reconnect-players.md", "store-what-players-own.md", "typed-browser-client.md"];
        Assert.Empty(notRunHere.Except(known, StringComparer.Ordinal));
    }

    private static TheoryData<string> FindPlaces(bool hasTests) =>
        [.. s_snippets.Where(snippet => snippet.HasTests == hasTests).Select(static snippet => snippet.ToString())];

    private static Snippet Find(string place) => s_snippets.Single(snippet => snippet.ToString() == place);

    [GeneratedRegex(@"(?<=\]\()[a-z-]+\.md", RegexOptions.None, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex RecipePage();
}
