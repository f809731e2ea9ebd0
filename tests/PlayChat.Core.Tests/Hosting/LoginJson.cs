using System.Text.Json.Serialization;

namespace PlayChat.Core.Tests.Hosting;

[JsonSerializable(typeof(LoginTests.LogIn))]
[JsonSerializable(typeof(LoginTests.LoggedIn))]
[JsonSerializable(typeof(LoginTests.LogOut))]
[JsonSerializable(typeof(LoginTests.Confirm))]
[JsonSerializable(typeof(LoginTests.Walk))]
internal sealed partial class LoginJson : JsonSerializerContext;
