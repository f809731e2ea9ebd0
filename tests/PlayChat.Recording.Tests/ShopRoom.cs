using System.Buffers;
using System.Buffers.Binary;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Recording.Tests;

/// <summary>A shop: it uses all that a recording has to repeat. A test changes one thing of it for the replay.</summary>
internal sealed class ShopRoom : Room<Shopper, Enter>
{
    internal const string Title = "shop";

    internal static readonly RoomJob<ShopRoom, Delivery> Delivered =
        new("delivered", ShopJson.Default.Delivery, static (room, delivery) => room.Fill(delivery.Count));

    private readonly RoomContext _context;
    private readonly Random _random;
    private readonly Bell _bell;

    public ShopRoom(RoomContext context)
        : base(context)
    {
        _context = context;
        _random = context.Random;
        _bell = AddPart(new Bell());
    }

    /// <summary>The total from which on a shopper gets nothing off any more.</summary>
    internal int MaxTotal { get; init; } = 1000;

    /// <summary>Whether the shop uses time and numbers of its own.</summary>
    internal bool IsCareless { get; init; }

    internal TimeSpan Restocking { get; init; } = TimeSpan.FromSeconds(7);

    internal double Hertz { get; init; } = 4;

    /// <summary>How many random numbers the creation draws.</summary>
    internal int Draws { get; init; }

    internal int Count { get; private set; } = 10;

    internal double Tips { get; private set; }

    internal void OnBuy(Shopper shopper, Buy buy)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(buy.Count, nameof(buy));
        Count -= buy.Count;
        shopper.Total += buy.Count;
        _bell.Ring();
        int discount = shopper.Total < MaxTotal ? _random.Next(1, 100) : 0;
        long now = IsCareless ? DateTime.UtcNow.Ticks : _context.Time.GetUtcNow().Ticks + _context.Time.GetTimestamp();
        BroadcastPacket(new Bought(shopper.Name, buy.Count, shopper.Total, discount, now));
    }

    internal void OnTip(Tip tip) => Tips += tip.Amount;

    internal static Paid OnPay(Shopper shopper, Pay pay) => new(pay.Shop + shopper.Name);

    internal void OnWhisper(Whisper whisper) =>
        this.Post(static (ShopRoom room, Whisper heard) => room.BroadcastPacket(heard), whisper);

    internal void SendRaw(byte[] body, ushort packet) => Broadcast(body, new FrameHeader(packet));

    internal void Fill(int count)
    {
        Count += count;
        BroadcastPacket(new Stock(Count));
    }

    protected override void OnCreate()
    {
        for (int i = 0; i < Draws; i++)
        {
            _random.Next();
        }

        StartTick(Hertz);
        Every(Restocking, Restock);
    }

    protected override void OnSnapshot(IBufferWriter<byte> state)
    {
        BinaryPrimitives.WriteInt32LittleEndian(state.GetSpan(sizeof(int)), Count);
        state.Advance(sizeof(int));
    }

    protected override void OnRestore(ReadOnlySpan<byte> state) => Count = BinaryPrimitives.ReadInt32LittleEndian(state);

    protected override JoinDecision<Shopper> OnJoining(Session session, Enter enter) => new Shopper(session, enter.Name);

    protected override void OnJoined(Shopper shopper)
    {
        SendPacket(shopper.Session, new Stock(Count));
        After(TimeSpan.FromSeconds(2), () => BroadcastPacket(new Paid(shopper.Name)));
    }

    protected override void OnLeave(Shopper shopper, LeaveReason reason) => BroadcastPacket(new Stock(-shopper.Total));

    protected override void OnEmpty() => Count = 0;

    protected override void OnTick(in RoomTick tick)
    {
        if (tick.Number % 4 == 0)
        {
            BroadcastPacket(new Stock(Count + _random.Next(2)));
        }
    }

    private void Restock() => Fill(_random.Next(5));
}
