namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A generation of the garbage collector.</summary>
/// <param name="Name">gen0, gen1, gen2, large objects or pinned objects.</param>
/// <param name="SizeBytes">Its size after the last collection.</param>
/// <param name="FragmentedBytes">Free memory between its objects.</param>
/// <param name="Collections">How often it was collected; null where that is not counted.</param>
internal sealed record GenerationInfo(
    string Name,
    long SizeBytes,
    long FragmentedBytes,
    int? Collections);
