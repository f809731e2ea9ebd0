using System.Reflection;
using PlayChat.Benchmark.Cli;
using PlayChat.Benchmark.Foreign;

// PlayChat.Benchmark with more baselines. All of its commands work: echo, broadcast, serve, suite and so on.
OwnProgram.Use(Assembly.GetExecutingAssembly());
Baseline.Add(new BaselineKind("dotnetty", ["echo", "broadcast", "classroom", "chat"], DotNettyServer.StartAsync));
Baseline.Add(new BaselineKind("signalr", ["broadcast", "classroom", "chat"], SignalRServer.StartAsync));
Baseline.Add(new BaselineKind("mqtt", ["broadcast", "classroom"], MqttBroker.StartAsync));
LoadClients.Add("signalr", new LoadClient(static (index, load) => new SignalRLink(index, load), SignalREchoLink.ConnectAsync));
LoadClients.Add("mqtt", new LoadClient(static (index, load) => new MqttLink(index, load), ConnectEcho: null));
return await BenchmarkProgram.RunAsync(args, Console.Out, Console.Error);
