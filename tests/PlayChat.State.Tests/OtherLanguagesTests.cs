using System.Globalization;

namespace PlayChat.State.Tests;

/// <summary>Messages of the encoder for the tests of decoders in other languages, and what they mean.</summary>
public sealed class OtherLanguagesTests
{
    private const string FileVariable = "PLAYCHAT_STATE_MESSAGES";

    [Fact]
    public void A_file_has_messages_and_the_state_after_each()
    {
        string[] lines = [.. Enumerable.Range(100, 20).SelectMany(Write)];

        if (Environment.GetEnvironmentVariable(FileVariable) is { Length: > 0 } file)
        {
            File.WriteAllLines(file, lines);
        }

        var replica = new StateReplica<Everything>(new Everything());
        Assert.All(lines, line =>
        {
            string[] parts = line.Split(' ', 3);
            Assert.Equal(StateApplyResult.Applied, replica.Apply(Convert.FromHexString(parts[0])));
            Assert.Equal(parts[1], replica.Revision.ToString(CultureInfo.InvariantCulture));
            Assert.Equal(parts[2], StateJson.Of(replica.State));
        });
    }

    /// <summary>A snapshot, patches of one revision, and now and then one over several revisions or another snapshot.</summary>
    private static IEnumerable<string> Write(int seed)
    {
        var changes = new RandomChanges(seed);
        var encoding = new Encoding<Everything>(new Everything());
        yield return LineOf(encoding.Snapshot());
        for (int round = 1; round <= 40; round++)
        {
            uint last = encoding.Revision;
            changes.Make(encoding.State, 1 + (round % 8));
            byte[] message = encoding.Patch();
            if (round % 5 == 0)
            {
                changes.Make(encoding.State, 5);
                encoding.Patch();
                message = encoding.Encoder.WritePatchSince(last).ToArray();
            }

            if (encoding.Revision > last)
            {
                yield return LineOf(round % 9 == 0 || message.Length == 0 ? encoding.Snapshot() : message);
            }
        }

        string LineOf(byte[] message) => string.Create(
            CultureInfo.InvariantCulture, $"{Convert.ToHexString(message)} {encoding.Revision} {StateJson.Of(encoding.State)}");
    }
}
