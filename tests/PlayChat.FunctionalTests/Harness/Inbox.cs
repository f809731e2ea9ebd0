using System.Threading.Channels;
using PlayChat.Protocol;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>What a client was told unasked, in order.</summary>
internal sealed class Inbox
{
    private readonly Channel<SRoomChatNtf> _chats = Channel.CreateUnbounded<SRoomChatNtf>();
    private readonly Channel<SJoinRoomNtf> _joins = Channel.CreateUnbounded<SJoinRoomNtf>();

    public Inbox(ChatClient client)
    {
        client.ChatReceived += (_, chat) => _chats.Writer.TryWrite(chat.Message);
        client.MemberJoined += (_, joined) => _joins.Writer.TryWrite(joined.Message);
    }

    /// <summary>The next chat message.</summary>
    public Task<SRoomChatNtf> NextChatAsync() => _chats.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);

    /// <summary>The next join.</summary>
    public Task<SJoinRoomNtf> NextJoinAsync() => _joins.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);
}
