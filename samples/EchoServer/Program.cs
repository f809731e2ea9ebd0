using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;

await using var server = new PlayChatServer(options => options.ListenTcp(args.FirstOrDefault() ?? "127.0.0.1:7000"))
    .UseFraming(FrameFormat.LengthPrefixed(maxFrameBytes: 64 * 1024))
    .OnFrame(static (connection, frame) => connection.Send(frame));
await server.StartAsync();
Console.WriteLine($"Listening on {server.EndPoints[0]}; Ctrl+C stops it.");
await server.RunAsync();
