namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A generation of the garbage collector, as the last collection left it.</summary>
internal sealed record GenerationInfo(
    string Name, // gen0, gen1, gen2, large objects or pinned objects
    long SizeBytes,
    long FragmentedBytes,
    int? Collections); // null where they are not counted
