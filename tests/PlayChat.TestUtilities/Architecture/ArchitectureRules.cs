using System.Reflection;

namespace PlayChat.TestUtilities.Architecture;

/// <summary>Checks that the folders of an assembly use each other in one direction only, method bodies included.</summary>
/// <remarks>
/// <para>
/// A folder is a namespace relative to the assembly's root namespace: <c>PlayChat.Core.Rooms</c> is <c>Rooms</c>, and the root itself is
/// "". A nested namespace belongs to the longest folder in <c>layers</c> that contains it.
/// </para>
/// <para>
/// A type may use its own folder and every folder of a lower layer. Folders of one layer must not use each other. Uses are found in base
/// types, interfaces, attributes, generic constraints, fields, signatures, locals, catch clauses and the instructions of method bodies.
/// Nested and compiler-generated types (closures, state machines) count as their outermost type. The compiler inlines constants and
/// <c>nameof</c>, so those uses are not found.
/// </para>
/// </remarks>
/// <param name="assembly">The assembly to check.</param>
/// <param name="root">Its root namespace.</param>
/// <param name="layers">Its folders, from the lowest layer to the highest.</param>
public sealed class ArchitectureRules(Assembly assembly, string root, params string[][] layers)
{
    /// <summary>Finds everything that is wrong with the assembly's layers.</summary>
    /// <param name="allowed">
    /// Known violations in the form <c>Folder.Type -> Folder.Type</c>. The list may only shrink: an entry that no longer occurs is
    /// reported too.
    /// </param>
    /// <returns>One line for each problem; empty when the layers hold.</returns>
    public IReadOnlyList<string> FindProblems(params string[] allowed)
    {
        SortedDictionary<string, SortedSet<string>> violations = FindViolations();
        return
        [
            .. FindFoldersWithoutLayer().Select(static folder => $"Folder '{folder}' has no layer: add it to the list of layers."),
            .. FindEmptyFolders().Select(folder => $"Folder '{folder}' has no types below {root}: correct the list of layers."),
            .. violations
                .Where(violation => !allowed.Contains(violation.Key, StringComparer.Ordinal))
                .Select(static violation => $"{violation.Key} (in {string.Join(", ", violation.Value)})"),
            .. allowed
                .Where(entry => !violations.ContainsKey(entry))
                .Select(static entry => $"{entry} no longer occurs: remove it from the allowed violations."),
        ];
    }

    private SortedDictionary<string, SortedSet<string>> FindViolations()
    {
        var violations = new SortedDictionary<string, SortedSet<string>>(StringComparer.Ordinal);
        foreach (Type type in assembly.GetTypes().Where(IsOwn))
        {
            foreach ((Type used, string member) in TypeUses.Of(type).Where(use => IsOwn(use.Used)))
            {
                if (FolderOf(used) == FolderOf(type) || LayerOf(used) < LayerOf(type))
                {
                    continue;
                }

                string violation = $"{RelativeName(type)} -> {RelativeName(used)}";
                if (!violations.TryGetValue(violation, out SortedSet<string>? members))
                {
                    violations.Add(violation, members = new SortedSet<string>(StringComparer.Ordinal));
                }

                members.Add(member);
            }
        }

        return violations;
    }

    private SortedSet<string> FindFoldersWithoutLayer() => new(
        assembly.GetTypes().Where(type => IsOwn(type) && LayerOf(type) < 0).Select(FolderOf),
        StringComparer.Ordinal);

    private IEnumerable<string> FindEmptyFolders() =>
        layers.SelectMany(static layer => layer).Except(assembly.GetTypes().Where(IsOwn).Select(FolderOf), StringComparer.Ordinal);

    private bool IsOwn(Type type) =>
        type.Assembly == assembly && type.Namespace is { } name && (name == root || name.StartsWith(root + ".", StringComparison.Ordinal));

    private string FolderOf(Type type)
    {
        string name = type.Namespace!.Length > root.Length ? type.Namespace[(root.Length + 1)..] : "";
        return layers
            .SelectMany(static layer => layer)
            .Where(folder => name == folder || (folder.Length > 0 && name.StartsWith(folder + ".", StringComparison.Ordinal)))
            .MaxBy(static folder => folder.Length) ?? name;
    }

    private int LayerOf(Type type) => Array.FindIndex(layers, layer => layer.Contains(FolderOf(type), StringComparer.Ordinal));

    private string RelativeName(Type type)
    {
        while (type.DeclaringType is { } outer)
        {
            type = outer;
        }

        return type.FullName![(root.Length + 1)..];
    }
}
