namespace PlayChat.Protocol.Tests;

public sealed class RefusalPolicyTests
{
    [Theory]
    [InlineData(ErrorCode.ServerBusy, true)]
    [InlineData(ErrorCode.StorageUnavailable, true)]
    [InlineData(ErrorCode.ServerShutdown, true)]
    [InlineData(ErrorCode.LoginThrottled, true)]
    [InlineData(ErrorCode.ResumeRefused, false)]
    [InlineData(ErrorCode.Banned, false)]
    [InlineData(ErrorCode.PasswordTooShort, false)]
    [InlineData(ErrorCode.LoginRefused, false)]
    public void An_attempt_that_the_server_refuses_for_now_is_repeated_and_one_that_it_denies_is_not(ErrorCode code, bool mayPass) =>
        Assert.Equal(mayPass, RefusalPolicy.MayPass(new ChatErrorException(code, "No.")));

    [Fact]
    public void What_is_no_refusal_of_the_server_is_not_judged_here() =>
        Assert.False(RefusalPolicy.MayPass(new InvalidOperationException()));
}
