using System.IO.Compression;
using System.Reflection.Metadata;
using System.Xml.Linq;

namespace PlayChat.Packaging.Tests;

/// <summary>What is in a package, and in that of its symbols.</summary>
public sealed class Package
{
    // The parts of the container itself, which every package has.
    private static readonly string[] s_container = ["_rels/", "package/", "[Content_Types].xml"];

    private readonly string _path;
    private readonly XElement _metadata;

    private Package(string path, XElement metadata, IReadOnlyList<string> files)
    {
        _path = path;
        _metadata = metadata;
        Files = files;
    }

    public string Id => Value("id")!;

    public IReadOnlyList<string> Files { get; }

    public IReadOnlyList<string> Dependencies =>
        [.. _metadata.Descendants(_metadata.Name.Namespace + "dependency").Select(static dependency => dependency.Attribute("id")!.Value)];

    /// <summary>The version, or the range of versions, that the package needs of another one.</summary>
    public string VersionOf(string dependency) =>
        _metadata.Descendants(_metadata.Name.Namespace + "dependency")
            .Single(element => element.Attribute("id")!.Value == dependency).Attribute("version")!.Value;

    private string SymbolsPath => Path.ChangeExtension(_path, ".snupkg");

    internal static Package Read(string path)
    {
        using ZipArchive archive = ZipFile.OpenRead(path);
        ZipArchiveEntry nuspec = archive.Entries.Single(static entry => entry.FullName.EndsWith(".nuspec", StringComparison.Ordinal));
        using Stream text = nuspec.Open();
        XElement root = XDocument.Load(text).Root!;
        return new Package(path, root.Element(root.Name.Namespace + "metadata")!, FilesOf(archive));
    }

    internal string? Value(string element) => Element(element)?.Value;

    internal string? Attribute(string element, string attribute) => Element(element)?.Attribute(attribute)?.Value;

    internal byte[] ReadFile(string name)
    {
        using ZipArchive archive = ZipFile.OpenRead(_path);
        return Read(archive, name);
    }

    internal IReadOnlyList<string> SymbolFiles()
    {
        using ZipArchive archive = ZipFile.OpenRead(SymbolsPath);
        return FilesOf(archive);
    }

    /// <summary>The paths of the sources, as the symbols name them.</summary>
    internal IReadOnlyList<string> SourcesOf(string pdb)
    {
        using ZipArchive archive = ZipFile.OpenRead(SymbolsPath);
        using var provider = MetadataReaderProvider.FromPortablePdbStream(new MemoryStream(Read(archive, pdb)));
        MetadataReader reader = provider.GetMetadataReader();
        return [.. reader.Documents.Select(handle => reader.GetString(reader.GetDocument(handle).Name))];
    }

    private static string[] FilesOf(ZipArchive archive) =>
    [
        .. archive.Entries.Select(static entry => entry.FullName)
            .Where(static name => !s_container.Any(part => name.StartsWith(part, StringComparison.Ordinal))
                && !name.EndsWith(".nuspec", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal),
    ];

    private static byte[] Read(ZipArchive archive, string name)
    {
        using Stream file = archive.GetEntry(name)!.Open();
        using var bytes = new MemoryStream();
        file.CopyTo(bytes);
        return bytes.ToArray();
    }

    private XElement? Element(string name) => _metadata.Descendants(_metadata.Name.Namespace + name).FirstOrDefault();
}
