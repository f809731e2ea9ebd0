using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace PlayChat.Core.Rooms;

/// <summary>A job with a name, whose argument can be written: see <see cref="RoomJob{TRoom, TArgument}"/>.</summary>
public abstract class RoomJob
{
    private protected RoomJob(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        Name = name;
    }

    /// <summary>The name in recordings: of each job of a room another one. Never change it.</summary>
    public string Name { get; }

    /// <summary>Runs the job in the room's turn with an argument as it was written.</summary>
    /// <exception cref="JsonException">The bytes are no such argument.</exception>
    internal abstract void Run(Room room, ReadOnlySpan<byte> argument);

    internal abstract Type ArgumentType { get; }

    /// <summary>Writes an argument as JSON.</summary>
    internal abstract byte[] Encode(object? argument);
}

/// <summary>
/// A job with a name, whose argument is written as JSON, so that a recording of the room can repeat it. Post what services answer this way
/// (<see cref="RoomExtensions"/>).
/// </summary>
/// <remarks>Keep it in a static field or property of the room's class: a replay finds it there. Immutable and thread-safe.</remarks>
/// <typeparam name="TRoom">The room.</typeparam>
/// <typeparam name="TArgument">The argument.</typeparam>
public sealed class RoomJob<TRoom, TArgument> : RoomJob
    where TRoom : Room
    where TArgument : class?
{
    private readonly JsonTypeInfo<TArgument> _type;

    /// <summary>Makes the job.</summary>
    /// <param name="name">The name in recordings: of each job of a room another one. Never change it.</param>
    /// <param name="type">How the argument is written: from a source-generated context.</param>
    /// <param name="run">What the job does, in the room's turn. Make it static.</param>
    public RoomJob(string name, JsonTypeInfo<TArgument> type, Action<TRoom, TArgument> run)
        : base(name)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(run);
        _type = type;
        Code = run;
        Invoker = new RoomJobInvoker(this);
    }

    internal RoomInvoker Invoker { get; }

    internal Action<TRoom, TArgument> Code { get; }

    internal override Type ArgumentType => typeof(TArgument);

    internal override byte[] Encode(object? argument) => JsonSerializer.SerializeToUtf8Bytes((TArgument)argument!, _type);

    internal override void Run(Room room, ReadOnlySpan<byte> argument) =>
        Code((TRoom)room, JsonSerializer.Deserialize(argument, _type)!);

    private sealed class RoomJobInvoker(RoomJob<TRoom, TArgument> job) : RoomInvoker.Of<TRoom, TArgument>
    {
        internal override RoomJob NamedJob => job;

        internal override string NameOf(in RoomItem item) => $"The job {job.Name}";
    }
}
