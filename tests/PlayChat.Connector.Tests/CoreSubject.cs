using System.Buffers;
using System.Net.Security;
using Google.Protobuf.WellKnownTypes;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.WebSockets;
using PlayChat.GameServer;
using PlayChat.Protobuf;
using PlayChat.State;

namespace PlayChat.Connector.Tests;

/// <summary>The client of PlayChat.Core.</summary>
internal sealed class CoreSubject : IContractSubject
{
    public string Name => "Core";

    public bool NoticesSilence => false;

    public bool HoldsRequests => false;

    public bool EntersFirst => false;

    public IContractClient Create(string address, ContractSettings settings) => new Client(new Uri(address), settings);

    private static Core.Packets.PacketSet Packets(bool hasSeat) => new Core.Packets.PacketSet()
        .AddJson(GameJson.Default.Join)
        .AddJson(GameJson.Default.Say)
        .AddJson(GameJson.Default.Said)
        .AddJson(GameJson.Default.Joined)
        .AddJson(GameJson.Default.ComeBack)
        .AddJson(GameJson.Default.Back)
        .AddJson(GameJson.Default.Roll)
        .AddJson(GameJson.Default.Rolled)
        .AddJson(GameJson.Default.Problem)
        .AddJson(GameJson.Default.Ignore)
        .AddJson(GameJson.Default.CloseMe)
        .AddJson(GameJson.Default.AskMe)
        .AddJson(GameJson.Default.Question)
        .AddJson(GameJson.Default.Answer)
        .AddJson(GameJson.Default.Gone)
        .AddJson(500, GameJson.Default.String)
        .AddJson(GameJson.Default.Sit)
        .AddJson(GameJson.Default.Move)
        .AddJson(GameJson.Default.Look)
        .AddJson(GameJson.Default.Looked)
        .AddRaw(hasSeat ? Board.PacketId : (ushort)20, "Board or picture")
        .AddProtobuf(21, Timestamp.Parser);

    private sealed class Client(Uri address, ContractSettings settings) : IContractClient
    {
        private readonly TaskCompletionSource<CloseReason> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly Dictionary<System.Type, Action<PacketRouter>> _mappings = [];
        private TaskCompletionSource<bool> _back = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private PlayChatConnector? _connector;
        private ReconnectingConnection? _lasting;
        private Connection? _newest;
        private (ReadOnlyMemory<byte> Token, Connection Connection)? _session;

        public event Action<CloseReason>? Broke;

        public event Action<bool>? Returned;

        public Task<CloseReason> Ended => _ended.Task;

        public async Task ConnectAsync()
        {
            OnPacket<Back>(back => _back.TrySetResult(back.Recovered));
            OnPacket<Said>(static _ => { }); // unless the statement listens
            OnPacket<Gone>(static _ => { });
            SslClientAuthenticationOptions? tls = address.Scheme is "tls" or "wss"
                ? new SslClientAuthenticationOptions
                {
                    TargetHost = address.Host,
                    RemoteCertificateValidationCallback = settings.Accepts is { } accepts ? (_, _, _, _) => accepts : null,
                }
                : null;
            bool isWebSocket = address.Scheme is "ws" or "wss";
            _connector = new PlayChatConnector(
                FrameFormat.Packet(1024 * 1024),
                Packets(settings.Seat is not null),
                router =>
                {
                    foreach (Action<PacketRouter> mapping in _mappings.Values)
                    {
                        mapping(router);
                    }

                    if (settings.Seat is { } seat)
                    {
                        router.MapPacket<ReadOnlySequence<byte>>((context, message) =>
                        {
                            if (seat.Board.Apply(in message) == StateApplyResult.Malformed)
                            {
                                context.Connection.Abort(CloseReason.ProtocolViolation);
                            }
                        });
                    }
                },
                new ConnectorOptions { Tls = isWebSocket ? null : tls },
                transport: isWebSocket ? new WebSocketTransport { Tls = tls } : null);
            var options = new ReconnectOptions
            {
                FirstDelay = TimeSpan.FromMilliseconds(10),
                Reconnecting = attempt => Broke?.Invoke(attempt.Reason),
                Reconnected = _ => Returned?.Invoke(_back.Task is { IsCompletedSuccessfully: true, Result: true }),
                Ended = end => _ended.TrySetResult(end.Reason),
            };
            _lasting = await _connector.ConnectLastingAsync(
                address.Host, address.Port, EnterAsync, options, cancellationToken: TestContext.Current.CancellationToken);
        }

        public bool Send<TMessage>(TMessage message) => _lasting?.Current is { } connection
            && (message is byte[] body ? connection.SendPacket(new ReadOnlySequence<byte>(body)) : connection.SendPacket(message));

        public async Task<TResponse> RequestAsync<TResponse>(
            object request, TimeSpan? timeout = null, CancellationToken cancellationToken = default)
        {
            Connection connection = _lasting?.Current ?? _newest!;
            TimeSpan patience = timeout ?? TimeSpan.FromMinutes(1);
            return typeof(TResponse) == typeof(byte[])
                ? (TResponse)(object)(await connection.RequestAsync<ReadOnlySequence<byte>>(
                    new ReadOnlySequence<byte>((byte[])request), patience, cancellationToken)).ToArray()
                : await connection.RequestAsync<TResponse>(request, patience, cancellationToken);
        }

        public void OnPacket<TMessage>(Action<TMessage> handler) =>
            _mappings.TryAdd(typeof(TMessage), router => router.MapPacket<TMessage>((_, message) => handler(message)));

        public void OnQuestion(Func<Question, Answer> handler) => _mappings.Add(
            typeof(Question), router => router.MapPacket<Question>((context, question) => context.Reply(handler(question))));

        public async ValueTask DisposeAsync()
        {
            if (_connector is not null)
            {
                await _connector.DisposeAsync();
            }
        }

        private async ValueTask EnterAsync(Connection connection, ReconnectAttempt? attempt, CancellationToken cancellationToken)
        {
            _newest = connection;
            if (settings.Name is null)
            {
                return;
            }

            TimeSpan patience = TimeSpan.FromMinutes(1);
            _back = new(TaskCreationOptions.RunContinuationsAsynchronously);
            object request = _session is { } session
                ? new ComeBack(session.Token.ToArray(), session.Connection.FramesReceived, settings.Seat?.Board.Revision)
                : settings.Seat is { } seat ? new Sit(settings.Name, seat.Table) : new Join(settings.Name);
            Joined joined = await connection.RequestAsync<Joined>(request, patience, cancellationToken);
            if (joined.Refusal is not null)
            {
                throw new InvalidOperationException(joined.Refusal);
            }

            if (_session is not null)
            {
                await _back.Task.WaitAsync(cancellationToken);
            }

            _session = (joined.Token, connection);
        }
    }
}
