using PlayChat.Core.Transport;

namespace PlayChat.Core.Tests.Transport;

public sealed class DecryptionGateTests
{
    private readonly DecryptionGate _gate;
    private int _shutdowns;

    public DecryptionGateTests() => _gate = new DecryptionGate(() => _shutdowns++);

    [Fact]
    public void A_shutdown_runs_at_once_when_nothing_is_decrypted()
    {
        _gate.Enter();
        _gate.Leave();

        _gate.Shutdown();

        Assert.Equal(1, _shutdowns);
    }

    [Fact]
    public void A_shutdown_beside_a_decryption_runs_once_when_that_is_over()
    {
        _gate.Enter();
        _gate.Shutdown();
        Assert.Equal(0, _shutdowns);

        _gate.Leave();
        Assert.Equal(1, _shutdowns);
        _gate.Enter();
        _gate.Leave();

        Assert.Equal(1, _shutdowns);
    }
}
