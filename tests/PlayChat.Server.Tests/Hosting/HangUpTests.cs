using PlayChat.Chat.Hosting;

namespace PlayChat.Server.Tests.Hosting;

public sealed class HangUpTests
{
    [Theory]
    [InlineData("SigIgn:\t0000000000000001", true)]
    [InlineData("SigIgn:\t0000000000001007", true)]
    [InlineData("SigIgn:\t0000000000001006", false)] // SIGINT and SIGQUIT, as of a job in the background
    [InlineData("SigCgt:\t0000000000000001", false)] // a handler
    [InlineData("SigIgn:\tnonsense", false)]
    public void A_process_that_ignores_SIGHUP_is_known_by_its_status(string line, bool expected) =>
        Assert.Equal(expected, HangUp.IsIgnored(["Name:\tPlayChat.Server", line]));
}
