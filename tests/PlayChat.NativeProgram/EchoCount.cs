namespace PlayChat.NativeProgram;

/// <summary>A service that a handler asks for.</summary>
internal sealed class EchoCount
{
    private int _value;

    internal int Value => Volatile.Read(ref _value);

    internal void Add() => Interlocked.Increment(ref _value);
}
