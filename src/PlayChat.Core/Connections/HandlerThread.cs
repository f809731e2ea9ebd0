using System.Runtime.InteropServices;
using PlayChat.Core.Buffers;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Connections;

/// <summary>What a thread works on while it handles a connection's batch: whose it is, and what its handlers have sent back so far.</summary>
/// <remarks>
/// One a thread. It stays in the processor's cache from one connection to the next, while each connection's own memory is cold
/// when its turn comes; so what only lives as long as a batch is kept here.
/// </remarks>
internal sealed class HandlerThread : IFrameSink
{
    [ThreadStatic]
    private static HandlerThread? s_current;

    private Work _work;

    /// <summary>This thread's own.</summary>
    internal static HandlerThread Current => s_current ??= new HandlerThread();

    /// <summary>Whose batch is being handled; <see langword="null"/> between batches.</summary>
    internal Connection? Connection => _work.Connection;

    /// <summary>The answers of the batch, as long as they fit one piece of memory and nothing waits before them.</summary>
    internal Segment? Answers
    {
        get => _work.Answers;
        set => _work.Answers = value;
    }

    /// <summary>How many frames those are.</summary>
    internal int AnswerFrames
    {
        get => _work.Frames;
        set => _work.Frames = value;
    }

    /// <summary>Gives the batch its first piece for answers.</summary>
    /// <param name="answers">Whose hold passes to the batch.</param>
    /// <param name="room">How many bytes of answers the connection may have.</param>
    internal void BeginAnswers(Segment answers, int room) =>
        _work = _work with { Answers = answers, Frames = 0, AnswerBytes = Math.Min(answers.Array.Length, room) };

    /// <summary>Adds an encoded frame to the answers: the short way, without a look at the connection's queue.</summary>
    /// <returns><see langword="false"/> when there are none yet, or it does not fit, or the batch is another connection's.</returns>
    internal bool TryAnswer(Connection connection, ReadOnlySpan<byte> encoded)
    {
        if (!ReferenceEquals(_work.Connection, connection) || _work.Answers is not { } answers || encoded.Length > _work.AnswerBytes - answers.Written)
        {
            return false;
        }

        encoded.CopyTo(answers.Free);
        answers.Written += encoded.Length;
        _work.Frames++;
        return true;
    }

    FrameVerdict IFrameSink.OnFrame(in Frame frame) => Connection!.OnFrame(in frame);

    /// <summary>Begins a connection's batch.</summary>
    /// <returns>The batch in whose midst it began, if any (a transport may complete a receive within a send of its peer): for <see cref="End"/>.</returns>
    internal Work Begin(Connection connection)
    {
        Work outer = _work;
        _work = new Work(connection);
        return outer;
    }

    /// <summary>Ends the batch.</summary>
    /// <returns>What became of it.</returns>
    internal Work End(in Work outer)
    {
        Work own = _work;
        _work = outer;
        return own;
    }

    /// <summary>A batch and its answers.</summary>
    [StructLayout(LayoutKind.Auto)]
    internal record struct Work(Connection? Connection)
    {
        internal Segment? Answers { get; set; }

        internal int Frames { get; set; }

        internal int AnswerBytes { get; set; }
    }
}
