using System.Net;
using System.Text.Json;
using PlayChat.Chat.Cli;
using PlayChat.Chat.Configuration;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;
using PlayChat.Webhooks;
using PlayChat.Webhooks.Tests;

namespace PlayChat.Server.Tests.Operations.Admin;

/// <summary>Webhooks of a whole server: from the room to the receiver, and what an operator sees of them.</summary>
public sealed class WebhookTests
{
    private const string Secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    [Fact]
    public async Task What_is_said_in_a_room_reaches_the_receiver_after_a_stop_too()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.AnswerAll(503);
        await using (AdminServer first = await StartAsync(folder, receiver))
        {
            await using TestClient kim = await first.Server.LoginAsync("Kim");
            SCreateRoomRes room = await kim.CreateAsync("lobby");
            await kim.SayAsync(room.RoomId, "hello");
            await kim.SayAsync(room.RoomId, "last words"); // the stop puts into the outbox what the chat log has
            await first.Server.StopAsync();
        }

        receiver.AnswerAll(200);
        await using AdminServer second = await StartAsync(folder, receiver);

        await Eventually.TrueAsync(() => receiver.Texts.Contains("last words", StringComparer.Ordinal));
        Assert.Equal(["hello", "last words"], receiver.Texts.Take(2), StringComparer.Ordinal);
    }

    [Fact]
    public async Task Dead_letters_are_listed_sent_again_and_deleted()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.AnswerAll(410);
        await using AdminServer admin = await StartAsync(folder, receiver);
        await using TestClient kim = await admin.Server.LoginAsync("Kim");
        SCreateRoomRes room = await kim.CreateAsync("lobby");
        await kim.SayAsync(room.RoomId, "one");
        await Eventually.GetAsync(() => admin.GetAsync("/webhooks"), static list => list[0].GetProperty("deadLetters").GetInt64() == 1);

        JsonElement status = (await admin.GetAsync("/webhooks"))[0];
        JsonElement page = await admin.GetAsync("/webhooks/dead-letters?target=shop&limit=10");
        JsonElement dead = page.GetProperty("items")[0];
        long id = dead.GetProperty("id").GetInt64();
        receiver.AnswerAll(200);
        string one = await admin.DoAsync(HttpMethod.Post, $"/webhooks/dead-letters/{id}/retry");
        await Eventually.TrueAsync(() => receiver.Texts.Any());

        Assert.Equal("shop", status.GetProperty("name").GetString());
        Assert.Equal($"http://127.0.0.1:{receiver.Port}", status.GetProperty("address").GetString());
        Assert.Equal("The receiver answered 410.", status.GetProperty("lastError").GetString());
        Assert.Equal(room.RoomId, dead.GetProperty("roomId").GetInt64());
        Assert.Equal("1 dead letters wait to be sent again.", one);
        Assert.Equal(["one"], receiver.Texts, StringComparer.Ordinal);
        Assert.Equal("0 dead letters were deleted.", await admin.DoAsync(HttpMethod.Delete, "/webhooks/dead-letters"));
        await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Post, $"/webhooks/dead-letters/{id}/retry", "{}");
        await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Delete, $"/webhooks/dead-letters/{id}");
        await admin.FailAsync(HttpStatusCode.BadRequest, HttpMethod.Get, "/webhooks/dead-letters?limit=0");
    }

    [Fact]
    public async Task The_command_shows_webhooks_and_does_something_with_dead_letters()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.AnswerAll(410);
        await using AdminServer admin = await StartAsync(folder, receiver);
        await using TestClient kim = await admin.Server.LoginAsync("Kim");
        SCreateRoomRes room = await kim.CreateAsync("lobby");
        await kim.SayAsync(room.RoomId, "one");
        await Eventually.GetAsync(() => admin.GetAsync("/webhooks"), static list => list[0].GetProperty("deadLetters").GetInt64() == 1);
        string token = folder.Combine("token.txt");
        await File.WriteAllTextAsync(token, AdminServer.Token);

        string list = await RunAsync("webhooks");
        string dead = await RunAsync("webhooks", "dead-letters");
        string retried = await RunAsync("webhooks", "retry", "--target", "shop");
        await Eventually.GetAsync(() => admin.GetAsync("/webhooks"), static list => list[0].GetProperty("deadLetters").GetInt64() == 1);
        string deleted = await RunAsync("webhooks", "delete", "--all");

        Assert.Contains("The receiver answered 410.", list, StringComparison.Ordinal);
        Assert.Contains("shop", dead, StringComparison.Ordinal);
        Assert.Equal("1 dead letters wait to be sent again.\n", retried);
        Assert.Equal("1 dead letters were deleted.\n", deleted);
        Assert.Equal("There are no dead letters.\n", await RunAsync("webhooks", "dead-letters"));

        async Task<string> RunAsync(params string[] args)
        {
            using var output = new StringWriter { NewLine = "\n" };
            using var error = new StringWriter();
            int code = await new AdminCommand(new ConsoleOperatorInput(), output, error).RunAsync(
                [.. args, "--url", admin.Http.BaseAddress!.ToString(), "--token-file", token]).WaitAsync(TestTimeouts.Hang);
            Assert.True(code == ExitCode.Success, error.ToString());
            return output.ToString();
        }
    }

    [Fact]
    public async Task A_server_without_webhooks_says_so()
    {
        await using AdminServer admin = await AdminServer.StartAsync();

        Assert.Equal(0, (await admin.GetAsync("/webhooks")).GetArrayLength());
        Assert.Contains(
            "Webhooks:Targets:0:Url",
            await admin.FailAsync(HttpStatusCode.Conflict, HttpMethod.Post, "/webhooks/dead-letters/retry", "{}"),
            StringComparison.Ordinal);
        Assert.Null(admin.Server.Find<WebhookService>());
    }

    [Fact]
    public async Task A_secret_is_in_no_list_of_settings()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        await using AdminServer admin = await StartAsync(folder, receiver, "--Webhooks:Targets:0:OldSecret=" + Secret);

        string limits = (await admin.GetAsync("/limits?text=Webhooks")).GetRawText();
        string webhooks = (await admin.GetAsync("/webhooks")).GetRawText();

        Assert.Contains("Webhooks:Targets:0:Url", limits, StringComparison.Ordinal);
        Assert.DoesNotContain("whsec_A", limits + webhooks, StringComparison.Ordinal);
        await admin.FailAsync(
            HttpStatusCode.NotFound, HttpMethod.Put, "/limits/Webhooks:Targets:0:Secret", """{"value":"x"}""");
    }

    [Fact]
    public async Task A_wrong_setting_is_named_and_the_secret_is_not()
    {
        StartException http = await Assert.ThrowsAsync<StartException>(static () => TestServer.StartAsync(
            "--Webhooks:Targets:0:Url=http://shop.example", "--Webhooks:Targets:0:Secret=" + Secret));
        StartException secret = await Assert.ThrowsAsync<StartException>(static () => TestServer.StartAsync(
            "--Webhooks:Targets:1:Url=https://shop.example", "--Webhooks:Targets:1:Secret=hush"));

        Assert.StartsWith("Webhooks:Targets:0:Url is an http address;", http.Message, StringComparison.Ordinal);
        Assert.StartsWith("Webhooks:Targets:1:Secret is not usable;", secret.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("hush", secret.Message, StringComparison.Ordinal);
    }

    private static Task<AdminServer> StartAsync(
        TemporaryDirectory folder, Receiver receiver, params string[] args) => AdminServer.StartAsync(
    [
        "--Webhooks:Targets:0:Name=shop",
        $"--Webhooks:Targets:0:Url={receiver.Address}",
        "--Webhooks:Targets:0:Secret=" + Secret,
        "--Webhooks:Targets:0:AllowHttp=true",
        "--Webhooks:Targets:0:AllowPrivateAddresses=true",
        $"--Webhooks:OutboxFile={folder.Combine("webhooks.db")}",
        .. args,
    ]);
}
