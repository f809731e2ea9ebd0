namespace PlayChat.State.Tests;

/// <summary>A state with everything that a state can have.</summary>
[SyncState(Removed = [9])]
public sealed partial class Everything
{
    [Sync(1)]
    private bool _isOn;

    [Sync(2)]
    private byte _byte = 7;

    [Sync(3)]
    private int _signed;

    [Sync(4)]
    private ulong _unsigned;

    [Sync(5)]
    private float _single;

    [Sync(6)]
    private double _double;

    [Sync(7)]
    private string _text = "";

    [Sync(8)]
    private string? _note;

    [Sync(10, Decimals = 1)]
    private double _fixed;

    [Sync(11, Min = -100, Max = 100, Bits = 12)]
    private float _range;

    [Sync(12)]
    private Mood _mood;

    [Sync(20)]
    private Everything? _child;

    [Sync(21)]
    private readonly SyncList<int> _numbers = new();

    [Sync(22)]
    private readonly SyncList<string> _words = new();

    [Sync(23)]
    private readonly SyncList<Player> _team = new();

    [Sync(24)]
    private readonly SyncMap<string, Everything> _nested = new();

    [Sync(25)]
    private readonly SyncMap<Mood, long> _counts = new();

    [Sync(26, Decimals = 2)]
    private readonly SyncMap<int, double> _places = new();
}
