using System.Net.Security;
using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;
using PlayChat.Connector;

namespace PlayChat.ClientContract;

/// <summary>PlayChat.Connector.</summary>
/// <param name="polls">Whether handlers run in Poll, which a thread of the test calls as a game engine does.</param>
internal sealed class ConnectorSubject(bool polls = false) : IContractSubject
{
    public string Name => "Connector";

    public bool NoticesSilence => true;

    public bool HoldsRequests => true;

    public bool EntersFirst => true;

    private static PacketSet Packets(bool hasSeat) => new PacketSet()
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
        .AddJson(500, GameJson.Default.String) // which the server does not know
        .AddJson(GameJson.Default.Sit)
        .AddJson(GameJson.Default.Move)
        .AddJson(GameJson.Default.Look)
        .AddJson(GameJson.Default.Looked)
        .AddRaw(hasSeat ? Board.PacketId : (ushort)20, "Board or picture") // one raw packet is asked for without its id
        .Add(21, Timestamp.Parser.ParseFrom, MessageExtensions.ToByteArray);

    public IContractClient Create(string address, ContractSettings settings)
    {
        var options = new ClientOptions
        {
            FirstDelay = TimeSpan.FromMilliseconds(10),
            RequestTimeout = TimeSpan.FromMinutes(1),
            KeepAlive = settings.KeepAlive ?? Timeout.InfiniteTimeSpan,
            HandleInPoll = polls,
            HandlerFailed = static e => Console.Error.WriteLine(e), // else a statement that waits in vain does not say why
        };
        if (settings.Accepts is { } accepts)
        {
            options.Tls = new SslClientAuthenticationOptions { RemoteCertificateValidationCallback = (_, _, _, _) => accepts };
        }

        if (settings.Name is { } name)
        {
            options.Enter = async (entry, stop) =>
            {
                object request = entry.Resume is { } resume
                    ? new ComeBack(resume.Token.ToArray(), resume.FramesReceived, settings.Seat?.Board.Revision)
                    : settings.Seat is { } seat ? new Sit(name, seat.Table) : new Join(name);
                Joined joined = await entry.RequestAsync<Joined>(request, cancellationToken: stop).ConfigureAwait(false);
                if (joined.Refusal is not null)
                {
                    throw new InvalidOperationException(joined.Refusal);
                }

                bool recovered = entry.Resume is not null
                    && (await entry.NextAsync<Back>(cancellationToken: stop).ConfigureAwait(false)).Recovered;
                return new Entered(joined.Token, recovered);
            };
        }

        var client = new GameClient(address, Packets(settings.Seat is not null), options);
        if (settings.Seat is { } taken)
        {
            client.MapState(taken.Board, Board.PacketId);
        }

        return new Client(client, polls);
    }

    private sealed class Client : IContractClient
    {
        private readonly GameClient _client;
        private readonly Thread? _engine;
        private volatile bool _isOver;

        public Client(GameClient client, bool polls)
        {
            _client = client;
            _client.Reconnecting += attempt => Broke?.Invoke(Checked(attempt.Reason));
            _client.Reconnected += recovered => Returned?.Invoke(Checked(recovered));
            if (polls)
            {
                _engine = new Thread(RunFrames) { IsBackground = true };
                _engine.Start();
            }
        }

        public event Action<CloseReason>? Broke;

        public event Action<bool>? Returned;

        public Task<CloseReason> Ended => EndAsync();

        public Task ConnectAsync() => _client.ConnectAsync();

        public bool Send<TMessage>(TMessage message) => _client.SendPacket(message);

        public Task<TResponse> RequestAsync<TResponse>(object request, TimeSpan? timeout, CancellationToken cancellationToken) =>
            _client.RequestAsync<TResponse>(request, timeout, cancellationToken: cancellationToken);

        public void OnPacket<TMessage>(Action<TMessage> handler) => _client.MapPacket<TMessage>(message => handler(Checked(message)));

        public void OnQuestion(Func<Question, Answer> handler) =>
            _client.MapPacket<Question>((context, question) => context.Reply(handler(Checked(question))));

        public async ValueTask DisposeAsync()
        {
            await _client.DisposeAsync().ConfigureAwait(false);
            _isOver = true;
            _engine?.Join();
        }

        private async Task<CloseReason> EndAsync() => (await _client.Closed.ConfigureAwait(false)).Reason;

        private T Checked<T>(T value) => _engine is null || Thread.CurrentThread == _engine
            ? value
            : throw new InvalidOperationException("A handler ran outside of Poll.");

        private void RunFrames()
        {
            while (!_isOver)
            {
                _client.Poll();
                Thread.Yield();
            }
        }
    }
}
