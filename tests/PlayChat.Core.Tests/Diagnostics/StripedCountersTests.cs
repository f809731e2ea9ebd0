using PlayChat.Core.Diagnostics;

namespace PlayChat.Core.Tests.Diagnostics;

public sealed class StripedCountersTests
{
    [Fact]
    public void Parallel_adds_are_all_counted()
    {
        const int Threads = 8;
        const int Adds = 100_000;
        var counters = new StripedCounters(3);

        Parallel.For(0, Threads, new ParallelOptions { MaxDegreeOfParallelism = Threads }, _ =>
        {
            for (int i = 0; i < Adds; i++)
            {
                counters.Add(0, 1);
                counters.Add(2, 5);
            }
        });

        Assert.Equal(Threads * Adds, counters.Read(0));
        Assert.Equal(0, counters.Read(1));
        Assert.Equal(Threads * Adds * 5, counters.Read(2));
    }

    [Fact]
    public void A_counter_never_changes_its_neighbours()
    {
        int count = Enum.GetValues<Counter>().Length;
        var counters = new StripedCounters(count);

        for (int i = 0; i < count; i++)
        {
            counters.Add(i, 1L << i);
        }

        for (int i = 0; i < count; i++)
        {
            Assert.Equal(1L << i, counters.Read(i));
        }
    }
}
