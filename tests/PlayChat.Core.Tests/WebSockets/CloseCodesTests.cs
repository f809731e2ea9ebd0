using System.Text;
using PlayChat.Core.WebSockets;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.WebSockets;

/// <summary>proto/close-codes.json, from which clients in other languages know the codes and what to do.</summary>
public sealed class CloseCodesTests
{
    private const string UpdateVariable = "PLAYCHAT_UPDATE_GENERATED";

    [Fact]
    public void The_file_has_every_reason_with_its_code_and_advice()
    {
        string path = Repository.PathOf("proto/close-codes.json");
        string expected = Describe();
        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
        {
            File.WriteAllText(path, expected);
        }

        Assert.True(
            expected == File.ReadAllText(path).ReplaceLineEndings("\n"),
            $"{path} is out of date. Run this test once with {UpdateVariable}=1 and commit the file.");
    }

    [Fact]
    public void Every_reason_has_a_code_of_the_applications_range_and_fits_a_close_frame() =>
        Assert.All(Reasons, static reason =>
        {
            Assert.InRange(CloseCodes.CodeOf(reason), 4000, 4999);
            Assert.Equal(reason, CloseCodes.ReasonOf(CloseCodes.CodeOf(reason)));
            byte[] frame = WebSocketClose.Frame(reason);
            Assert.Equal(reason.ToString(), Encoding.UTF8.GetString(frame.AsSpan(4)));
            Assert.InRange(frame.Length, 5, 127);
        });

    [Theory]
    [InlineData(1000, CloseReason.PeerClosed)]
    [InlineData(1001, CloseReason.PeerClosed)]
    [InlineData(1002, CloseReason.ProtocolViolation)]
    [InlineData(1009, CloseReason.FrameTooLarge)]
    [InlineData(3000, CloseReason.PeerClosed)]
    [InlineData(4000, CloseReason.PeerClosed)]
    [InlineData(4999, CloseReason.PeerClosed)]
    public void A_client_knows_other_codes_as_well(int code, CloseReason reason) =>
        Assert.Equal(reason, CloseCodes.ReasonOf(code));

    [Fact]
    public void Every_broken_rule_has_a_code_a_sentence_that_fits_and_a_reason() =>
        Assert.All(Enum.GetValues<WebSocketFault>().Where(static fault => fault != WebSocketFault.None), static fault =>
        {
            (ushort code, string text, CloseReason reason) = WebSocketClose.Of(fault);
            Assert.Contains(code, new ushort[] { 1002, 1003, 1007, 1009 });
            Assert.InRange(Encoding.UTF8.GetByteCount(text), 10, 123);
            Assert.Equal(CloseAdvice.DoNotReconnect, CloseAdvices.Of(reason));
            Assert.Equal(WebSocketFault.None, WebSocketClose.FindFault(WebSocketClose.Frame(fault).AsSpan(2)));
        });

    private static IEnumerable<CloseReason> Reasons =>
        Enum.GetValues<CloseReason>().Where(static reason => reason != CloseReason.None);

    private static string Describe() => "[\n" + string.Join(",\n", Reasons.Select(Describe)) + "\n]\n";

    private static string Describe(CloseReason reason) =>
        $$"""  {"code": {{CloseCodes.CodeOf(reason)}}, "reason": {{(int)reason}}, "name": "{{reason}}", """
            + $"\"advice\": \"{NameOf(reason)}\"}}";

    private static string NameOf(CloseReason reason) => CloseAdvices.Of(reason) switch
    {
        CloseAdvice.Reconnect => "reconnect",
        CloseAdvice.ReconnectLater => "reconnect-later",
        _ => "do-not-reconnect",
    };
}
