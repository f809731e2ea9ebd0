namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>One page of a list.</summary>
/// <typeparam name="TItem">What is listed.</typeparam>
/// <param name="Items">The page.</param>
/// <param name="Matched">How many items meet the filter; <see langword="null"/> where counting them would read all of them.</param>
/// <param name="NextAfter">
/// The value of <c>after</c> for the next page; <see langword="null"/> on the last page and in sorted lists.
/// </param>
internal sealed record Page<TItem>(IReadOnlyList<TItem> Items, long? Matched, long? NextAfter);
