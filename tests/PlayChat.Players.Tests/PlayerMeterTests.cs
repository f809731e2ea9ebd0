using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using PlayChat.Storage.Sqlite;

namespace PlayChat.Players.Tests;

public sealed class PlayerMeterTests
{
    private static readonly AsyncLocal<bool> s_isMine = new();

    [Fact]
    public async Task A_transaction_is_measured_by_its_outcome_and_a_refused_save_is_counted()
    {
        using var folder = new TemporaryDirectory();
        await using PlayerStore store = PlayerStore.OnSqlite(new SqliteStoreOptions { Path = folder.Combine("players.db") });
        await store.InitializeAsync();
        await using var writer = new PlayerWriter(store, new PlayerWriterOptions { MaxPendingBytes = 1024 });
        var measured = new ConcurrentQueue<string>();
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == PlayerMeter.MeterName)
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<double>((instrument, _, tags, _) => Add(instrument, tags[0].Value));
        listener.SetMeasurementEventCallback<long>((instrument, value, _, _) => Add(instrument, value));
        listener.Start();
        s_isMine.Value = true; // the meter is the process's, and other tests measure as well
        var key = new DocumentKey("ada", "items", "sword");

        await store.ExecuteAsync([PlayerWrite.Put(key, "1"u8)], new TransactionKey("ada", "1"));
        await store.ExecuteAsync([PlayerWrite.Put(key, "1"u8)], new TransactionKey("ada", "1"));
        await store.ExecuteAsync([PlayerWrite.Put(key, "1"u8, PlayerWrite.Absent)]);
        writer.TrySave(PlayerWrite.Put(key, new byte[2000]));

        Assert.Equal(
            "transaction.duration done, transaction.duration repeated, transaction.duration conflict, writer.refused 1",
            string.Join(", ", measured));
        Assert.Empty(DocumentedMeter.FindMissing(PlayerMeter.MeterName));

        void Add(Instrument instrument, object? value)
        {
            if (s_isMine.Value)
            {
                measured.Enqueue($"{instrument.Name["playchat.players.".Length..]} {value}");
            }
        }
    }
}
