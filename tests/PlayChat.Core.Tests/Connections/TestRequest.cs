using System.Threading.Tasks.Sources;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Connections;

/// <summary>A request of nothing, whose answer is bytes.</summary>
internal sealed class TestRequest() : OpenRequest(Reply), IValueTaskSource
{
    /// <summary>The packet that asks.</summary>
    internal const ushort Question = 100;

    /// <summary>The packet that answers.</summary>
    internal const ushort Reply = 101;

    private byte[] _answer = [];
    private Task? _task;

    /// <summary>Completes with the request, and never faults: see <see cref="OpenRequest.Error"/>.</summary>
    internal Task Task => _task ??= new ValueTask(this, token: 0).AsTask();

    /// <summary>Asks, and gives the answer's body.</summary>
    internal static async Task<byte[]> AskAsync(Connection connection, CancellationToken cancellationToken = default)
    {
        var request = new TestRequest();
        connection.BeginRequest(request);
        try
        {
            connection.Send([], new FrameHeader(Question, request.Id));
            await request.Task.WaitAsync(cancellationToken);
        }
        finally
        {
            connection.TryEndRequest(request);
        }

        return request.Error is null ? request._answer : throw request.Error;
    }

    public void GetResult(short token)
    {
    }

    internal override Exception CreateTimeout() => new TimeoutException();

    protected override void OnAnswer(in Frame frame) => _answer = frame.ToArray();
}
