using ArenaServer.Protocol;
using PlayChat.Core.Clients;
using PlayChat.Core.Framing;

namespace ArenaServer.Bots;

/// <summary>Bots in one arena, and the view of the first one on a screen.</summary>
internal sealed class BotCrowd : IAsyncDisposable
{
    private static readonly TimeSpan s_frame = TimeSpan.FromMilliseconds(100);
    private static readonly string[] s_names = ["ada", "bob", "cyd", "dan", "eve", "fay", "gus", "hal", "ida", "jon", "kim", "leo"];

    private readonly PlayChatConnector _connector = new(FrameFormat.Packet(), ArenaPackets.All, Bot.MapPackets);
    private readonly ArenaOptions _options;
    private readonly Bot[] _bots;

    public BotCrowd(ArenaOptions options)
    {
        _options = options;
        _bots = [.. Enumerable.Range(0, options.Bots).Select(i => new Bot(NameOf(i), options, new Random(Random.Shared.Next())))];
    }

    /// <summary>Plays and draws until it is cancelled.</summary>
    /// <remarks>It throws what <see cref="Bot.RunAsync"/> throws.</remarks>
    public async Task RunAsync(IArenaScreen screen, CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task[] playing = [.. _bots.Select(bot => bot.RunAsync(_connector, stop.Token))];
        Task background = Task.WhenAll(DrawAsync(screen, stop.Token), CutAsync(stop.Token));
        await Task.WhenAny(playing); // all go on until they are cancelled, or one cannot
        await stop.CancelAsync();
        await background;
        await Task.WhenAll(playing);
        screen.ShowEnd(_bots[0].View.Snapshot);
    }

    public ValueTask DisposeAsync() => _connector.DisposeAsync();

    private static string NameOf(int index) =>
        index < s_names.Length ? s_names[index] : $"{s_names[index % s_names.Length]}{(index / s_names.Length) + 1}";

    private async Task DrawAsync(IArenaScreen screen, CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(s_frame);
        while (await timer.NextAsync(cancellationToken))
        {
            screen.Show(_bots[0].View.Snapshot, _bots[0].View.TakeNews());
        }
    }

    private async Task CutAsync(CancellationToken cancellationToken)
    {
        if (_options.Cut == Timeout.InfiniteTimeSpan)
        {
            return;
        }

        using var timer = new PeriodicTimer(_options.Cut);
        for (int next = 1; await timer.NextAsync(cancellationToken); next++)
        {
            _bots[next % _bots.Length].Cut();
        }
    }
}
