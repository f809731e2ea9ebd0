using PlayChat.Core.Connections;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Connections;

/// <summary>A request of nothing, whose answer is bytes.</summary>
internal sealed class TestRequest : OpenRequest
{
    /// <summary>The packet that asks.</summary>
    internal const ushort Question = 100;

    /// <summary>The packet that answers.</summary>
    internal const ushort Reply = 101;

    private byte[] _answer = [];

    internal override bool Awaits(ushort packetId) => packetId == Reply;

    /// <summary>Asks, and gives the answer's body.</summary>
    internal static async Task<byte[]> AskAsync(Connection connection, CancellationToken cancellationToken = default)
    {
        var request = new TestRequest();
        connection.BeginRequest(request, [Reply]);
        try
        {
            connection.Send([], new FrameHeader(Question, request.Id));
            await request.Task.WaitAsync(cancellationToken);
        }
        finally
        {
            connection.EndRequest(request);
        }

        return request.Error is null ? request._answer : throw request.Error;
    }

    protected override void OnAnswer(in Frame frame) => _answer = frame.ToArray();
}
