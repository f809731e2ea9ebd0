using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.Json.Nodes;

namespace PlayChat.Tool;

/// <summary>An assembly and what it refers to, for reading: none of its code runs.</summary>
internal sealed class LoadedAssemblies : IDisposable
{
    private readonly MetadataLoadContext _context;

    /// <exception cref="ContractException">There is no such file.</exception>
    /// <exception cref="BadImageFormatException">It is no assembly.</exception>
    /// <exception cref="FileNotFoundException">An assembly that it refers to is missing.</exception>
    public LoadedAssemblies(string file)
    {
        if (!File.Exists(file))
        {
            string hint = File.Exists(file + ".dll") ? $"Did you mean {file}.dll?" : "Run dotnet build, and give the file in bin.";
            throw new ContractException($"There is no file {file}. {hint}");
        }

        _context = new MetadataLoadContext(new PathAssemblyResolver(FilesFor(Path.GetFullPath(file))), "System.Private.CoreLib");
        try
        {
            Root = _context.LoadFromAssemblyPath(file);
            IEnumerable<AssemblyName> references = Root.GetReferencedAssemblies().Where(IsUsersOwn);
            Scanned = [Root, .. references.Select(_context.LoadFromAssemblyName).Where(RefersToPlayChat)];
        }
        catch
        {
            _context.Dispose();
            throw;
        }
    }

    public Assembly Root { get; }

    /// <summary>The assembly, and those it refers to that refer to PlayChat as well, such as a project of messages.</summary>
    public IReadOnlyList<Assembly> Scanned { get; }

    /// <summary>Releases the files, so that the next build can write them.</summary>
    public void Dispose() => _context.Dispose();

    private static bool IsUsersOwn(AssemblyName name) => name.Name!.Split('.')[0] is not ("System" or "Microsoft" or "PlayChat");

    private static bool RefersToPlayChat(Assembly assembly) =>
        assembly.GetReferencedAssemblies().Any(static name => name.Name!.StartsWith("PlayChat.", StringComparison.Ordinal));

    /// <summary>Assemblies beside the first one, in NuGet's folder by its .deps.json, and in the shared frameworks.</summary>
    private static IEnumerable<string> FilesFor(string file)
    {
        string runtime = Path.TrimEndingDirectorySeparator(RuntimeEnvironment.GetRuntimeDirectory());
        string aspNet = Path.Combine(runtime, "../../Microsoft.AspNetCore.App", Path.GetFileName(runtime));
        IEnumerable<string> files = Directory.EnumerateFiles(Path.GetDirectoryName(file)!, "*.dll")
            .Concat(PackageFiles(Path.ChangeExtension(file, ".deps.json")))
            .Concat(Directory.EnumerateFiles(runtime, "*.dll"))
            .Concat(Directory.Exists(aspNet) ? Directory.EnumerateFiles(aspNet, "*.dll") : []);
        return files.DistinctBy(Path.GetFileName, StringComparer.OrdinalIgnoreCase);
    }

    // A library's build does not copy its packages; its .deps.json names them.
    private static IEnumerable<string> PackageFiles(string depsFile)
    {
        string folder = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
            ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        JsonNode? deps = File.Exists(depsFile) ? JsonNode.Parse(File.ReadAllText(depsFile)) : null;
        return from target in deps?["targets"]?.AsObject() ?? []
               from library in target.Value!.AsObject()
               from path in library.Value?["runtime"]?.AsObject() ?? []
               let full = Path.Combine(folder, library.Key.ToLowerInvariant(), path.Key)
               where File.Exists(full)
               select full;
    }
}
