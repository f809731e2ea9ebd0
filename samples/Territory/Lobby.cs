using PlayChat.Core.Rooms;
using PlayChat.Matchmaking;

namespace Territory;

/// <summary>Where players wait until they fill a room, but at most three seconds: then they play with those that are there.</summary>
internal sealed class Lobby(RoomContext context, Scores scores) : MatchQueue<Join>(context, new MatchRules<Join>
{
    TeamSizes = [TerritoryRoom.Seats],
    ExpireAfter = TimeSpan.FromSeconds(3),
    MayStartShort = static _ => true,
    StatusInterval = TimeSpan.FromSeconds(1),
})
{
    protected override void OnStatus(MatchPlayer<Join> player, MatchStatus status) => SendPacket(
        player.Session, new Waiting((int)status.Waited.TotalSeconds, status.State == MatchState.Failed));

    protected override void OnMatch(IReadOnlyList<MatchSeat<Join>> seats) => _ =
        Rooms.All.OfType<TerritoryRoom>().Any(room => room.TryTake(seats))
        || Rooms.Create(TerritoryRoom.Settings, made => new TerritoryRoom(made, scores)).TryTake(seats);
}
