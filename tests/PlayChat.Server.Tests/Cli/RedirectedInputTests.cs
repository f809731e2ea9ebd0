using System.Text;
using PlayChat.Chat.Cli;
using PlayChat.Chat.Configuration;

namespace PlayChat.Server.Tests.Cli;

public sealed class RedirectedInputTests
{
    [Theory]
    [InlineData("utf-8", false)]
    [InlineData("utf-8", true)]
    [InlineData("utf-16", true)]
    [InlineData("utf-16BE", true)]
    public void A_line_is_read_in_the_encoding_of_the_file_without_its_mark(string encoding, bool hasMark)
    {
        var form = Encoding.GetEncoding(encoding);
        using RedirectedInput input = Of([.. hasMark ? form.GetPreamble() : [], .. form.GetBytes("열려라 참깨\r\ny\n")]);

        Assert.Equal("열려라 참깨", input.ReadLine());
        Assert.Equal("y", input.ReadLine());
        Assert.Null(input.ReadLine());
    }

    [Theory]
    [InlineData("iso-8859-1")]
    [InlineData("utf-16")]
    [InlineData("utf-16BE")]
    public void Bytes_of_another_encoding_without_a_mark_are_refused(string encoding)
    {
        using RedirectedInput input = Of(Encoding.GetEncoding(encoding).GetBytes("Schlüssel\n"));

        Assert.StartsWith("The input is not UTF-8.", Assert.Throws<StartException>(input.ReadLine).Message, StringComparison.Ordinal);
    }

    private static RedirectedInput Of(byte[] bytes) => new(new MemoryStream(bytes));
}
