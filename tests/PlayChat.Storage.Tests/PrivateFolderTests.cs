using System.Runtime.Versioning;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests;

[UnsupportedOSPlatform("windows")] // its tests are skipped there
public sealed class PrivateFolderTests : IDisposable
{
    private readonly TemporaryDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_new_folder_is_for_this_account_alone()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no such modes.");
        string path = _folder.Combine("sub", "data");

        PrivateFolder.Create(path);

        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(path));
    }

    [Fact]
    public void One_that_exists_is_left_as_it_is()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no such modes.");
        const UnixFileMode Open =
            UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute | UnixFileMode.GroupRead | UnixFileMode.GroupExecute;
        string path = _folder.Combine("data");
        Directory.CreateDirectory(path);
        File.SetUnixFileMode(path, Open);

        PrivateFolder.Create(path);

        Assert.Equal(Open, File.GetUnixFileMode(path));
    }
}
