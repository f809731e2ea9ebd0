namespace PlayChat.ApiReference;

/// <summary>The generated pages as files.</summary>
internal static class Pages
{
    /// <summary>Replaces the pages of a folder.</summary>
    public static int Write(DirectoryInfo folder, IReadOnlyDictionary<string, string> pages, TextWriter output)
    {
        folder.Create();
        foreach (FileInfo old in folder.EnumerateFiles("*.md", SearchOption.AllDirectories))
        {
            old.Delete();
        }

        foreach ((string name, string text) in pages)
        {
            var file = new FileInfo(Path.Combine(folder.FullName, name));
            file.Directory!.Create();
            File.WriteAllText(file.FullName, text);
        }

        output.WriteLine($"{pages.Count} pages in {folder.FullName}");
        return 0;
    }
}
