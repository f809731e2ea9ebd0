using PlayChat.Chat.Accounts;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;

namespace PlayChat.Server.Tests.Accounts;

public sealed class NewPasswordTests
{
    [Theory]
    [InlineData("1234567", false)]
    [InlineData("12345678", true)]
    [InlineData("👍👍👍👍", false)] // 8 UTF-16 units
    [InlineData("👍👍👍👍👍👍👍👍", true)]
    [InlineData("", false)]
    public void Code_points_are_counted(string password, bool isLongEnough) =>
        Assert.Equal(isLongEnough, NewPassword.IsLongEnough(password, 8));

    [Fact]
    public async Task A_registration_needs_a_long_password_and_an_account_keeps_its_short_one()
    {
        await using TestServer server = await TestServer.StartAsync("--Accounts:MinPasswordLength=8");
        var hasher = new Storage.Passwords.PasswordHasher(Storage.Passwords.PasswordHasher.MinIterations);
        await server.Store.CreateAccountAsync("old", hasher.Hash("short"), DateTimeOffset.UnixEpoch);
        await using TestClient client = await server.ConnectAsync();

        SErrorNtf refused = await client.FailLoginAsync("kim", "short");

        Assert.Equal(ErrorCode.PasswordTooShort, refused.Code);
        Assert.Equal(
            "This name is new here, and a new password needs at least 8 characters. Choose a longer one.", refused.Message);
        Assert.Null(await server.Store.FindAccountAsync("kim"));
        Assert.Equal("kim", (await client.LoginAsync("kim", "long enough")).Name);
        await using TestClient other = await server.ConnectAsync();
        Assert.Equal("old", (await other.LoginAsync("old", "short")).Name);
    }

    [Fact]
    public async Task Refused_registrations_are_bounded_for_a_connection()
    {
        await using TestServer server = await TestServer.StartAsync("--Accounts:MinPasswordLength=8");
        await using TestClient client = await server.ConnectAsync();
        for (ushort id = 1; id <= 20; id++)
        {
            client.Send(ChatPackets.CLoginReq, new CLoginReq { Name = "kim", Password = "short", ClientVersion = "test/1" }, id);
        }

        Assert.Equal(CloseCode.LoginRequired, Assert.IsType<SCloseNtf>((await client.ReadToEndAsync())[^1]).Reason);
    }
}
