namespace PlayChat.ApiReference;

/// <summary>The generated pages as files.</summary>
internal static class Pages
{
    /// <summary>Replaces the pages of a folder.</summary>
    public static int Write(DirectoryInfo folder, IReadOnlyDictionary<string, string> pages, TextWriter output)
    {
        folder.Create();
        foreach (FileInfo old in folder.EnumerateFiles("*.md"))
        {
            old.Delete();
        }

        foreach ((string name, string text) in pages)
        {
            File.WriteAllText(Path.Combine(folder.FullName, name), text);
        }

        output.WriteLine($"{pages.Count} pages in {folder.FullName}");
        return 0;
    }

    /// <summary>Looks whether the pages of a folder are these.</summary>
    public static int Check(DirectoryInfo folder, IReadOnlyDictionary<string, string> pages, TextWriter output)
    {
        string[] there = folder.Exists ? folder.EnumerateFiles("*.md").Select(static file => file.Name).ToArray() : [];
        string[] wrong =
        [
            .. pages.Where(page => !there.Contains(page.Key, StringComparer.Ordinal) || File.ReadAllText(Path.Combine(folder.FullName, page.Key)).ReplaceLineEndings("\n") != page.Value)
                .Select(static page => page.Key),
            .. there.Where(name => !pages.ContainsKey(name)),
        ];
        foreach (string name in wrong)
        {
            output.WriteLine($"{Path.Combine(folder.FullName, name)} is not what the code says.");
        }

        if (wrong.Length > 0)
        {
            output.WriteLine("Write them anew: dotnet run --project tools/PlayChat.ApiReference");
        }

        return wrong.Length > 0 ? 1 : 0;
    }
}
