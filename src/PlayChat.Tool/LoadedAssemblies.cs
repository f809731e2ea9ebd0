using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.Json.Nodes;

namespace PlayChat.Tool;

/// <summary>An assembly and what it refers to, for reading: none of its code runs.</summary>
internal sealed class LoadedAssemblies : IDisposable
{
    private readonly MetadataLoadContext _context;
    private readonly Resolver _resolver;

    /// <exception cref="ContractException">There is no such file, or it is no assembly.</exception>
    public LoadedAssemblies(string file)
    {
        if (!File.Exists(file))
        {
            string hint = File.Exists(file + ".dll") ? $"Did you mean {file}.dll?" : "Run dotnet build, and give the file in bin.";
            throw new ContractException($"There is no file {file}. {hint}");
        }

        _resolver = new Resolver(Path.GetFullPath(file));
        _context = new MetadataLoadContext(_resolver, "System.Private.CoreLib");
        try
        {
            Root = _resolver.Load(_context, file);
            Scanned = [Root, .. Root.GetReferencedAssemblies().Where(IsUsersOwn).Select(_context.LoadFromAssemblyName).Where(RefersToPlayChat)];
        }
        catch (BadImageFormatException)
        {
            _context.Dispose();
            string hint = File.Exists(Path.ChangeExtension(file, ".dll")) ? $" Give {Path.ChangeExtension(file, ".dll")}." : "";
            throw new ContractException($"{file} is no .NET assembly.{hint}");
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

    /// <summary>The content of these.</summary>
    public IEnumerable<byte[]> ScannedContent => Scanned.Select(assembly => _resolver.Content[assembly]);

    public void Dispose() => _context.Dispose();

    private static bool IsUsersOwn(AssemblyName name) =>
        name.Name is { } text && !text.StartsWith("System", StringComparison.Ordinal) && !text.StartsWith("Microsoft.", StringComparison.Ordinal)
        && !text.StartsWith("PlayChat.", StringComparison.Ordinal);

    private static bool RefersToPlayChat(Assembly assembly) =>
        assembly.GetReferencedAssemblies().Any(static name => name.Name!.StartsWith("PlayChat.", StringComparison.Ordinal));

    /// <summary>Finds assemblies beside the first one, in NuGet's folder by its .deps.json, and in the shared frameworks.</summary>
    private sealed class Resolver : MetadataAssemblyResolver
    {
        private readonly Dictionary<string, string> _files = new(StringComparer.OrdinalIgnoreCase);
        private readonly string _root;

        public Resolver(string root)
        {
            _root = root;
            Add(Directory.EnumerateFiles(Path.GetDirectoryName(root)!, "*.dll"));
            Add(PackageFiles(Path.ChangeExtension(root, ".deps.json")));
            string runtime = Path.TrimEndingDirectorySeparator(RuntimeEnvironment.GetRuntimeDirectory());
            Add(Directory.EnumerateFiles(runtime, "*.dll"));
            string aspNet = Path.Combine(runtime, "../../Microsoft.AspNetCore.App", Path.GetFileName(runtime));
            Add(Directory.Exists(aspNet) ? Directory.EnumerateFiles(aspNet, "*.dll") : []);
        }

        public Dictionary<Assembly, byte[]> Content { get; } = [];

        /// <summary>Loads from memory, so that the next build can write the file.</summary>
        public Assembly Load(MetadataLoadContext context, string file)
        {
            byte[] content = File.ReadAllBytes(file);
            Assembly assembly = context.LoadFromByteArray(content);
            Content.TryAdd(assembly, content);
            return assembly;
        }

        public override Assembly? Resolve(MetadataLoadContext context, AssemblyName assemblyName)
        {
            if (_files.TryGetValue(assemblyName.Name!, out string? file))
            {
                return Load(context, file);
            }

            throw new ContractException(
                $"{Path.GetFileName(_root)} refers to {assemblyName.Name} {assemblyName.Version}, which is neither in its folder nor among the "
                    + $"NuGet packages of its .deps.json. Run dotnet build, and give the file in bin: {_root} may be a copy.");
        }

        private void Add(IEnumerable<string> files)
        {
            foreach (string file in files)
            {
                _files.TryAdd(Path.GetFileNameWithoutExtension(file), file);
            }
        }

        // A library's build does not copy its packages; its .deps.json names them.
        private static IEnumerable<string> PackageFiles(string depsFile)
        {
            string folder = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
                ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
            JsonNode? deps = File.Exists(depsFile) ? JsonNode.Parse(File.ReadAllText(depsFile)) : null;
            return from target in deps?["targets"]?.AsObject() ?? []
                from library in target.Value!.AsObject()
                from file in library.Value?["runtime"]?.AsObject() ?? []
                let path = Path.Combine(folder, library.Key.ToLowerInvariant(), file.Key)
                where File.Exists(path)
                select path;
        }
    }
}
