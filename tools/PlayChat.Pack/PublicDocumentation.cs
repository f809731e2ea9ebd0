using System.IO.Compression;
using System.Xml.Linq;

namespace PlayChat.Pack;

/// <summary>
/// Removes from the XML documentation in a package what its users cannot see: the compiler writes the documentation of internal members
/// as well.
/// </summary>
internal static class PublicDocumentation
{
    internal static void Keep(string package)
    {
        using ZipArchive archive = ZipFile.Open(package, ZipArchiveMode.Update);
        foreach (ZipArchiveEntry documentation in archive.Entries.Where(IsDocumentation).ToArray())
        {
            if (archive.GetEntry(Path.ChangeExtension(documentation.FullName, ".dll")) is { } assembly)
            {
                Replace(archive, documentation, NamesOf(assembly));
            }
        }
    }

    /// <summary>Whether an element documents something among the names of <see cref="PublicNames"/>.</summary>
    /// <param name="id">Such as "M:A.B.Method``1(System.Int32)".</param>
    /// <param name="names">The names.</param>
    internal static bool IsPublic(string id, HashSet<string> names)
    {
        string name = id[(id.IndexOf(':', StringComparison.Ordinal) + 1)..];
        name = name.Split('(', '~')[0];
        int typeParameters = name.IndexOf("``", StringComparison.Ordinal);
        return names.Contains(typeParameters < 0 ? name : name[..typeParameters]);
    }

    private static bool IsDocumentation(ZipArchiveEntry entry) =>
        entry.FullName.StartsWith("lib/", StringComparison.Ordinal) && entry.FullName.EndsWith(".xml", StringComparison.Ordinal);

    private static HashSet<string> NamesOf(ZipArchiveEntry assembly)
    {
        using var copy = new MemoryStream(); // the reader needs a stream that it can seek in
        using (Stream content = assembly.Open())
        {
            content.CopyTo(copy);
        }

        copy.Position = 0;
        return PublicNames.Read(copy);
    }

    private static void Replace(ZipArchive archive, ZipArchiveEntry entry, HashSet<string> names)
    {
        XDocument document;
        using (Stream content = entry.Open())
        {
            document = XDocument.Load(content, LoadOptions.PreserveWhitespace);
        }

        document.Descendants("member").Where(member => !IsPublic(member.Attribute("name")!.Value, names)).Remove();
        string name = entry.FullName;
        DateTimeOffset written = entry.LastWriteTime;
        entry.Delete();
        ZipArchiveEntry replaced = archive.CreateEntry(name);
        replaced.LastWriteTime = written;
        using Stream destination = replaced.Open();
        document.Save(destination, SaveOptions.DisableFormatting);
    }
}
