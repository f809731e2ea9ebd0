using Google.Protobuf.WellKnownTypes;

namespace PlayChat.ClientContract;

/// <summary>What every client must keep. Each statement begins with no client, and says what it found wrong by an exception.</summary>
internal static class Statements
{
    /// <summary>By name, over <c>tcp</c> and over <c>ws</c>.</summary>
    public static IReadOnlyDictionary<string, Func<ContractRun, Task>> All { get; } =
        new Dictionary<string, Func<ContractRun, Task>>(StringComparer.Ordinal)
        {
            ["Requests are answered, or fail with the server's message"] = RequestsAsync,
            ["Another packet than the awaited one fails the request"] = WrongAnswerAsync,
            ["A request without an answer times out, or is cancelled"] = NoAnswerAsync,
            ["Raw and protobuf packets go through unchanged"] = PacketsAsync,
            ["The server asks, and the client replies"] = QuestionAsync,
            ["Players talk, and all hear the same order"] = OrderAsync,
            ["A refusal of the server is thrown by connect"] = RefusalAsync,
            ["A server that is not there is a failed connect"] = NobodyAsync,
            ["After a break the client resumes with recovered, and hears what was said meanwhile, once and in order"] = ResumeAsync,
            ["Without the server's replay the client resumes, and recovered is false"] = NotRecoveredAsync,
            ["A request that was sent before a break fails"] = BrokenRequestAsync,
            ["A request that is made during a break goes out on the next connection"] = HeldRequestAsync,
            ["The reason for which the server closes ends the client"] = ReasonsAsync,
            ["A quiet client answers heartbeats and stays, and one that does not is closed"] = HeartbeatAsync,
            ["A state follows its room: a snapshot, patches, and what a break has missed"] = StateAsync,
            ["A server that the network has swallowed is noticed by its silence"] = SilenceAsync,
            ["An accepted certificate encrypts, and a refused one is a failed connect"] = CertificateAsync,
            ["A hostile length ends the connection before its body is there"] = HostileAsync,
        };

    private static async Task RequestsAsync(ContractRun run)
    {
        IContractClient client = await run.ConnectedAsync().ConfigureAwait(false);
        ContractRun.Equal(6, (await ContractRun.Soon(client.RequestAsync<Rolled>(new Roll(6))).ConfigureAwait(false)).Number);
        RequestFailedException failure =
            await ContractRun.Throws<RequestFailedException>(client.RequestAsync<Rolled>(new Roll(0))).ConfigureAwait(false);
        ContractRun.Equal(new Problem("NoSides"), (Problem)failure.Answer!);

        Task<Rolled>[] many = Enumerable.Range(1, 100).Select(sides => client.RequestAsync<Rolled>(new Roll(sides))).ToArray();
        Rolled[] rolled = await ContractRun.Soon(Task.WhenAll(many)).ConfigureAwait(false);
        ContractRun.Equal(Enumerable.Range(1, 100), rolled.Select(static answer => answer.Number));
    }

    private static async Task WrongAnswerAsync(ContractRun run)
    {
        IContractClient client = await run.ConnectedAsync().ConfigureAwait(false);
        RequestFailedException failure =
            await ContractRun.Throws<RequestFailedException>(client.RequestAsync<Rolled>(new Join(""))).ConfigureAwait(false);
        ContractRun.Equal("A name has 1 to 20 characters.", ((Joined)failure.Answer!).Refusal);
        ContractRun.Equal(2, (await ContractRun.Soon(client.RequestAsync<Rolled>(new Roll(2))).ConfigureAwait(false)).Number);
    }

    private static async Task NoAnswerAsync(ContractRun run)
    {
        IContractClient client = await run.ConnectedAsync().ConfigureAwait(false);
        await ContractRun.Throws<TimeoutException>(
            client.RequestAsync<Rolled>(new Ignore(), TimeSpan.FromMilliseconds(1))).ConfigureAwait(false);
        using var stop = new CancellationTokenSource();
        Task<Rolled> request = client.RequestAsync<Rolled>(new Ignore(), cancellationToken: stop.Token);
        stop.Cancel();
        await ContractRun.Throws<OperationCanceledException>(request).ConfigureAwait(false);
        ContractRun.Equal(3, (await ContractRun.Soon(client.RequestAsync<Rolled>(new Roll(3))).ConfigureAwait(false)).Number);
    }

    private static async Task PacketsAsync(ContractRun run)
    {
        IContractClient client = await run.ConnectedAsync().ConfigureAwait(false);
        byte[] picture = Enumerable.Range(0, 30_000).Select(static i => (byte)i).ToArray();
        foreach (byte[] body in new[] { picture, Array.Empty<byte>() })
        {
            ContractRun.Equal(body, await ContractRun.Soon(client.RequestAsync<byte[]>(body)).ConfigureAwait(false));
        }

        var moment = new Timestamp { Seconds = long.MaxValue, Nanos = 7 };
        ContractRun.Equal(moment, await ContractRun.Soon(client.RequestAsync<Timestamp>(moment)).ConfigureAwait(false));
    }

    private static async Task QuestionAsync(ContractRun run)
    {
        IContractClient client = run.Make();
        client.OnQuestion(static question => new Answer(question.Text + "!"));
        await ContractRun.Soon(client.ConnectAsync()).ConfigureAwait(false);
        ContractRun.Equal("안녕!", (await ContractRun.Soon(client.RequestAsync<Answer>(new AskMe("안녕"))).ConfigureAwait(false)).Text);
    }

    private static async Task OrderAsync(ContractRun run)
    {
        IContractClient ann = run.Make(new ContractSettings("Ann"));
        IContractClient bob = run.Make(new ContractSettings("Bob"));
        Task<string[]> heard = Task.WhenAll(HearAsync(ann, 40), HearAsync(bob, 40)).ContinueWith(
            static both => both.Result.Select(static texts => string.Join(" ", texts)).ToArray(), TaskScheduler.Default);
        await ContractRun.Soon(ann.ConnectAsync()).ConfigureAwait(false);
        await ContractRun.Soon(bob.ConnectAsync()).ConfigureAwait(false);
        for (int i = 0; i < 20; i++)
        {
            ContractRun.Equal(true, ann.Send(new Say($"a{i}")) && bob.Send(new Say($"b{i}")));
        }

        string[] texts = await ContractRun.Soon(heard).ConfigureAwait(false);
        ContractRun.Equal(texts[0], texts[1]);
        ContractRun.Equal(Enumerable.Range(0, 20).Select(static i => $"a{i}"), texts[0].Split(' ').Where(static text => text[0] == 'a'));
    }

    private static async Task RefusalAsync(ContractRun run)
    {
        InvalidOperationException refusal = await ContractRun.Throws<InvalidOperationException>(
            run.Make(new ContractSettings("")).ConnectAsync()).ConfigureAwait(false);
        ContractRun.Equal("A name has 1 to 20 characters.", refusal.Message);
    }

    private static async Task NobodyAsync(ContractRun run)
    {
        (CuttingProxy proxy, string address) = run.Through(run.Address);
        proxy.Dispose();
        ConnectFailedException failure =
            await ContractRun.Throws<ConnectFailedException>(run.Make(address: address).ConnectAsync()).ConfigureAwait(false);
        ContractRun.Equal(true, failure.Message.Contains("connection refused", StringComparison.Ordinal));
    }

    private static async Task ResumeAsync(ContractRun run)
    {
        (CuttingProxy proxy, string address) = run.Through(run.Address);
        IContractClient ann = run.Make(new ContractSettings("Ann"), address);
        IContractClient bob = run.Make(new ContractSettings("Bob"));
        var log = new List<string>();
        var said = new Dictionary<string, TaskCompletionSource<bool>>(StringComparer.Ordinal) { ["two"] = Source(), ["five"] = Source() };
        TaskCompletionSource<bool> gone = Source();
        TaskCompletionSource<bool> back = Source();
        ann.OnPacket<Said>(message =>
        {
            lock (log)
            {
                log.Add(message.Text);
            }

            if (said.TryGetValue(message.Text, out TaskCompletionSource<bool>? heard))
            {
                heard.TrySetResult(true);
            }
        });
        ann.Returned += recovered =>
        {
            lock (log)
            {
                log.Add($"recovered {recovered}");
            }

            back.TrySetResult(true);
        };
        bob.OnPacket<Gone>(_ => gone.TrySetResult(true));
        await ContractRun.Soon(ann.ConnectAsync()).ConfigureAwait(false);
        await ContractRun.Soon(bob.ConnectAsync()).ConfigureAwait(false);
        bob.Send(new Say("one"));
        bob.Send(new Say("two"));
        await ContractRun.Soon(said["two"].Task).ConfigureAwait(false);
        proxy.Cut();
        await ContractRun.Soon(gone.Task).ConfigureAwait(false); // what is said before is sent to the dead connection
        bob.Send(new Say("three"));
        bob.Send(new Say("four"));
        await ContractRun.Soon(back.Task).ConfigureAwait(false);
        bob.Send(new Say("five"));
        await ContractRun.Soon(said["five"].Task).ConfigureAwait(false);
        ContractRun.Equal(1, log.Count(static text => text == "recovered True"));
        if (run.Subject.EntersFirst)
        {
            ContractRun.Equal("recovered True", log[2]);
        }

        log.Remove("recovered True");
        ContractRun.Equal("one, two, three, four, five", string.Join(", ", log));
    }

    private static async Task NotRecoveredAsync(ContractRun run)
    {
        (CuttingProxy proxy, string address) = run.Through(run.Forgetful);
        IContractClient ann = run.Make(new ContractSettings("Ann"), address);
        var back = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        ann.Returned += recovered => back.TrySetResult(recovered);
        Task<string[]> heard = HearAsync(ann, 1);
        await ContractRun.Soon(ann.ConnectAsync()).ConfigureAwait(false);
        proxy.Cut();
        ContractRun.Equal(false, await ContractRun.Soon(back.Task).ConfigureAwait(false));
        ann.Send(new Say("still a member"));
        ContractRun.Equal("still a member", (await ContractRun.Soon(heard).ConfigureAwait(false))[0]);
    }

    private static async Task StateAsync(ContractRun run)
    {
        foreach (string server in new[] { run.Address, run.Forgetful })
        {
            string table = $"{Guid.NewGuid()}";
            (CuttingProxy proxy, string address) = run.Through(server);
            var copy = new Copy();
            var log = new List<string>();
            copy.Replica.State.Pieces.Added += (name, _) => log.Add(name);
            IContractClient ann = run.Make(new ContractSettings("Ann", Seat: new ContractSeat(table, copy.Replica)), address);
            IContractClient bob = run.Make(new ContractSettings("Bob", Seat: new ContractSeat(table, new Copy().Replica)), server);
            TaskCompletionSource<bool> gone = Source();
            TaskCompletionSource<bool> back = Source();
            bob.OnPacket<Gone>(_ => gone.TrySetResult(true));
            ann.Returned += _ => back.TrySetResult(true);

            await ContractRun.Soon(bob.ConnectAsync()).ConfigureAwait(false);
            bob.Send(new Move(0.25, "a"));
            await ContractRun.Soon(ann.ConnectAsync()).ConfigureAwait(false);
            await ContractRun.Soon(copy.Shows("1 Ann=0 Bob=0.25 a")).ConfigureAwait(false);
            bob.Send(new Move(0.5, "b"));
            ann.Send(new Move(-1, "b"));
            await ContractRun.Soon(copy.Shows("3 Ann=-1 Bob=0.5 a b b")).ConfigureAwait(false);
            proxy.Cut();
            await ContractRun.Soon(gone.Task).ConfigureAwait(false);
            bob.Send(new Move(0.75, "c"));
            bob.Send(new Move(1, "d"));
            await ContractRun.Soon(back.Task).ConfigureAwait(false);
            ann.Send(new Move(2, "e"));
            await ContractRun.Soon(copy.Shows("6 Ann=2 Bob=1 a b b c d e")).ConfigureAwait(false);
            ContractRun.Equal(
                "6 Ann=2 Bob=1 a b b c d e", (await ContractRun.Soon(ann.RequestAsync<Looked>(new Look())).ConfigureAwait(false)).Board);
            log.Sort(StringComparer.Ordinal);
            ContractRun.Equal("Ann Bob", string.Join(" ", log)); // over the break the pieces are the same
        }
    }

    private static async Task BrokenRequestAsync(ContractRun run)
    {
        (CuttingProxy proxy, string address) = run.Through(run.Address);
        IContractClient client = await run.ConnectedAsync(address: address).ConfigureAwait(false);
        Task<Rolled> request = client.RequestAsync<Rolled>(new Ignore());
        await ContractRun.Soon(client.RequestAsync<Rolled>(new Roll(1))).ConfigureAwait(false); // both have arrived
        proxy.Cut();
        ConnectionClosedException closed = await ContractRun.Throws<ConnectionClosedException>(request).ConfigureAwait(false);
        ContractRun.Equal(true, closed.Reason is CloseReason.PeerReset or CloseReason.PeerClosed); // Mono's proxy sends the end of a stream
    }

    private static async Task HeldRequestAsync(ContractRun run)
    {
        (CuttingProxy proxy, string address) = run.Through(run.Address);
        IContractClient client = run.Make(address: address);
        Task<Rolled>? request = null;
        TaskCompletionSource<bool> broken = Source();
        client.Broke += _ =>
        {
            request ??= client.RequestAsync<Rolled>(new Roll(5)); // the client may be back before this handler runs
            broken.TrySetResult(true);
        };
        await ContractRun.Soon(client.ConnectAsync()).ConfigureAwait(false);
        await ContractRun.Soon(client.RequestAsync<Rolled>(new Roll(1))).ConfigureAwait(false); // the proxy has both ends
        proxy.Cut();
        if (run.Subject.HoldsRequests)
        {
            await ContractRun.Soon(broken.Task).ConfigureAwait(false);
            ContractRun.Equal(5, (await ContractRun.Soon(request!).ConfigureAwait(false)).Number);
        }
    }

    private static async Task ReasonsAsync(ContractRun run)
    {
        foreach ((CloseReason reason, Func<IContractClient, bool> send) in new (CloseReason, Func<IContractClient, bool>)[]
        {
            (CloseReason.UnknownPacket, static client => client.Send("of another protocol")),
            (CloseReason.FrameTooLarge, static client => client.Send(new byte[200_000])),
            (CloseReason.TakenOver, static client => client.Send(new CloseMe("TakenOver"))),
            (CloseReason.LocalClose, static client => client.Send(new CloseMe("LocalClose"))),
        }.Take(run.TellsAllReasons ? 4 : 2))
        {
            IContractClient client = await run.ConnectedAsync().ConfigureAwait(false);
            ContractRun.Equal(true, send(client));
            ContractRun.Equal(reason, await ContractRun.Soon(client.Ended).ConfigureAwait(false));
            await ContractRun.Throws<ConnectionClosedException>(client.RequestAsync<Rolled>(new Roll(1))).ConfigureAwait(false);
        }
    }

    private static async Task HeartbeatAsync(ContractRun run)
    {
        IContractClient quiet = await run.ConnectedAsync(address: run.Forgetful).ConfigureAwait(false);
        var uri = new Uri(run.ForgetfulTcp);
        using var silent = new TcpClient();
        await silent.ConnectAsync(uri.Host, uri.Port).ConfigureAwait(false);
        byte[] buffer = new byte[256];
        Task<int> read;
        do
        {
            read = silent.GetStream().ReadAsync(buffer, 0, buffer.Length); // heartbeats, then the end
        }
        while (await ContractRun.Soon(read).ConfigureAwait(false) > 0);
        ContractRun.Equal(false, quiet.Ended.IsCompleted);
        ContractRun.Equal(3, (await ContractRun.Soon(quiet.RequestAsync<Rolled>(new Roll(3))).ConfigureAwait(false)).Number);
    }

    private static async Task SilenceAsync(ContractRun run)
    {
        if (!run.Subject.NoticesSilence)
        {
            return;
        }

        (CuttingProxy proxy, string address) = run.Through(run.Address);
        IContractClient ann = run.Make(new ContractSettings("Ann", KeepAlive: TimeSpan.FromMilliseconds(100)), address);
        var broke = new TaskCompletionSource<CloseReason>(TaskCreationOptions.RunContinuationsAsynchronously);
        TaskCompletionSource<bool> back = Source();
        ann.Broke += reason => broke.TrySetResult(reason);
        ann.Returned += _ => back.TrySetResult(true);
        await ContractRun.Soon(ann.ConnectAsync()).ConfigureAwait(false);
        proxy.Silence();
        ContractRun.Equal(CloseReason.IdleTimeout, await ContractRun.Soon(broke.Task).ConfigureAwait(false));
        await ContractRun.Soon(back.Task).ConfigureAwait(false);
    }

    private static async Task CertificateAsync(ContractRun run)
    {
        IContractClient client = await run.ConnectedAsync(new ContractSettings(Accepts: true), run.Secure).ConfigureAwait(false);
        ContractRun.Equal(4, (await ContractRun.Soon(client.RequestAsync<Rolled>(new Roll(4))).ConfigureAwait(false)).Number);
        foreach (bool? accepts in new bool?[] { false, null })
        {
            await ContractRun.Throws<ConnectFailedException>(
                run.Make(new ContractSettings(Accepts: accepts), run.Secure).ConnectAsync()).ConfigureAwait(false);
        }
    }

    private static async Task HostileAsync(ContractRun run)
    {
        foreach ((CloseReason reason, byte[] bytes) in new (CloseReason, byte[])[]
        {
            (CloseReason.FrameTooLarge, new byte[] { 0x7F, 0xFF, 0xFF, 0xFF }),
            (CloseReason.FrameTooLarge, new byte[] { 0xFF, 0xFF, 0xFF, 0xFF, 0, 1, 0, 0 }),
            (CloseReason.ProtocolViolation, new byte[] { 0, 0, 0, 3, 0, 1, 0 }),
            (CloseReason.ProtocolViolation, new byte[] { 0, 0, 0, 0 }),
        })
        {
            IContractClient client = run.Make(address: run.Hostile(bytes));
            ContractRun.Equal(reason, await ContractRun.Soon(EndOfAsync(client)).ConfigureAwait(false));
        }
    }

    // The connection may end before the client knows that it has one.
    private static async Task<CloseReason> EndOfAsync(IContractClient client)
    {
        try
        {
            await client.ConnectAsync().ConfigureAwait(false);
            return await client.Ended.ConfigureAwait(false);
        }
        catch (ConnectionClosedException e)
        {
            return e.Reason;
        }
    }

    private static TaskCompletionSource<bool> Source() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The first texts that a client hears.</summary>
    private static Task<string[]> HearAsync(IContractClient client, int count)
    {
        var heard = new List<string>();
        var done = new TaskCompletionSource<string[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        client.OnPacket<Said>(said =>
        {
            heard.Add(said.Text);
            if (heard.Count == count)
            {
                done.TrySetResult(heard.ToArray());
            }
        });
        return done.Task;
    }

    /// <summary>A copy of a board, and who waits for what it shows.</summary>
    private sealed class Copy
    {
        private readonly Dictionary<string, TaskCompletionSource<bool>> _awaited = new(StringComparer.Ordinal);
        private string _shown = "";

        public Copy() => Replica.Applied += replica =>
        {
            lock (_awaited)
            {
                _shown = $"{replica.State}";
                if (_awaited.TryGetValue(_shown, out TaskCompletionSource<bool>? awaited))
                {
                    awaited.TrySetResult(true);
                }
            }
        };

        public StateReplica<Board> Replica { get; } = new(new Board());

        public Task Shows(string text)
        {
            lock (_awaited)
            {
                return _shown == text ? Task.CompletedTask : (_awaited[text] = Source()).Task;
            }
        }
    }
}
