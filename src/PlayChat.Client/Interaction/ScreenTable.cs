namespace PlayChat.Client.Interaction;

/// <summary>A table to show. Texts may come from others, as in <see cref="ScreenLine"/>.</summary>
/// <param name="Rows">As many texts each as there are headings.</param>
internal sealed record ScreenTable(IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<string>> Rows);
