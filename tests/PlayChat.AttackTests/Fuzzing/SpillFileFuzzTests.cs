using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Storage;
using PlayChat.Storage.ChatLog;

namespace PlayChat.AttackTests.Fuzzing;

/// <summary>A spill file that the disk has damaged in any way is opened or refused, and gives back only what was written.</summary>
/// <remarks>Each input is a SQLite file that is opened, so there are fewer of them than of <see cref="FuzzTests"/>.</remarks>
[Trait("Tier", "Full")]
public sealed class SpillFileFuzzTests : IDisposable
{
    private const int Batches = 12;
    private const long MaxBytes = 1024 * 1024;
    private const int PageBytes = 4096;

    private readonly TemporaryDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(100)]
    [InlineData(50_000, Explicit = true)]
    public void Any_damage_is_opened_or_refused_and_what_is_read_was_written(int inputs)
    {
        byte[] whole = Write();
        Arbitrary<byte[]> damaged = Gen.Choose(0, int.MaxValue).Select(seed => Damage(whole, seed)).ToArbitrary();

        Prop.ForAll(damaged, AssertReadOrRefused).Check(Config.QuickThrowOnFailure.WithMaxTest(inputs).WithQuietOnSuccess(true));
    }

    private static string TextOf(long sequence) => $"said {sequence} {new string('x', 1500)}";

    private static byte[] Damage(byte[] whole, int seed)
    {
        var random = new Random(seed);
        byte[] bytes = random.Next(4) == 0 ? whole[..random.Next(whole.Length)] : [.. whole];
        for (int edits = random.Next(1, 9); edits > 0 && bytes.Length > 0; edits--)
        {
            int at = random.Next(2) == 0 ? random.Next(bytes.Length) : random.Next(Math.Min(bytes.Length, PageBytes));
            int length = random.Next(3) == 0 ? random.Next(Math.Min(PageBytes, bytes.Length - at)) + 1 : 1;
            random.NextBytes(bytes.AsSpan(at, length));
        }

        return bytes;
    }

    private byte[] Write()
    {
        string path = _folder.Combine("whole.db");
        using (var spill = ChatLogSpill.Open(path, MaxBytes, NullLogger.Instance))
        {
            for (long i = 1; i <= Batches; i++)
            {
                Assert.True(spill.TryAppend([new ChatRecord(1, i, 2, "민수", TextOf(i), DateTimeOffset.UnixEpoch)]));
            }
        }

        return File.ReadAllBytes(path);
    }

    private void AssertReadOrRefused(byte[] bytes)
    {
        using var folder = new TemporaryDirectory();
        string path = folder.Combine("spill.db");
        File.WriteAllBytes(path, bytes);
        try
        {
            using var spill = ChatLogSpill.Open(path, MaxBytes, NullLogger.Instance);
            for (; !spill.IsEmpty; spill.RemoveFirst())
            {
                ChatRecord record = Assert.Single(spill.ReadFirst());
                Assert.Equal(TextOf(record.Sequence), record.Text);
            }

            Assert.True(spill.TryAppend([new ChatRecord(1, Batches + 1, 2, "민수", "after", DateTimeOffset.UnixEpoch)]));
        }
        catch (StorageException)
        {
            Assert.True(File.Exists(path)); // refused, and left where it is
        }
    }
}
