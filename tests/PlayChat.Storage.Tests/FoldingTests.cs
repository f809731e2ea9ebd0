namespace PlayChat.Storage.Tests;

public sealed class FoldingTests
{
    [Fact]
    public void A_process_with_ICU_folds_names() => Assert.True(AccountName.CanFold);
}
