using System.Globalization;
using PlayChat.TestUtilities;

namespace PlayChat.State.Tests;

/// <summary>The examples of proto/STATE.md, byte by byte.</summary>
public sealed class WireTests
{
    [Fact]
    public void The_encoder_writes_the_bytes_of_the_examples()
    {
        (byte[] Bytes, string Meaning)[] examples = ReadExamples();
        var encoding = new Encoding<World>(new World());
        encoding.State.Players.Add(7, new Player { Name = "Ann", X = 1.5f, Hp = 100 });
        byte[] snapshot = encoding.Snapshot();
        encoding.State.Tick = 1;
        encoding.State.Players[7].X = 1.25f;
        encoding.State.Players.Add(9, new Player { Name = "Bo", Hp = 100 });
        byte[] patch = encoding.Patch();

        Assert.Equal(2, examples.Length);
        Assert.Equal(Convert.ToHexString(examples[0].Bytes), Convert.ToHexString(snapshot));
        Assert.Equal(Convert.ToHexString(examples[1].Bytes), Convert.ToHexString(patch));
    }

    [Fact]
    public void The_decoder_reads_what_the_examples_say()
    {
        var replica = new StateReplica<World>(new World());

        foreach ((byte[] bytes, string meaning) in ReadExamples())
        {
            Assert.Equal(StateApplyResult.Applied, replica.Apply(bytes));
            Assert.Equal(meaning, $"{replica.Revision} {StateJson.Of(replica.State)}");
        }
    }

    private static (byte[] Bytes, string Meaning)[] ReadExamples()
    {
        string page = Repository.Read("proto/STATE.md");
        return
        [
            .. page.Split("```hex state\n").Skip(1).Select(static block => block[..block.IndexOf("\n```", StringComparison.Ordinal)])
                .Select(static block => block.Split("\n=> ")).Select(static parts => (ReadBytes(parts[0]), parts[1])),
        ];
    }

    private static byte[] ReadBytes(string text) =>
    [
        .. text.Split('\n')
            .SelectMany(static line => line.Split("  ", 2)[0].Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Select(static hex => byte.Parse(hex, NumberStyles.HexNumber, CultureInfo.InvariantCulture)),
    ];
}
